"""The client side of Kubernetes: requests, list-watch caches with indexes, keyed work queue, reconcile
loop, patches, leases, event recorder. Knows no kind of ours by name."""
