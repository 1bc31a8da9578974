"""What this node is and can do, found out by trying, and what the Node object says of it."""
