"""What makes pages live: one roster of machines kept current from the caches, and one stream of server-sent
events for each tab, which says what changed of what that tab shows, at most four times a second."""
