"""The console's pages: routes that read the shared caches, make view models of what they see, and hand them
to ``web`` to be shown. Whatever changes something becomes a task. No page asks Kubernetes for what a cache
has, and every write is made as the person who asked for it."""
