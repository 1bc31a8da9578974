"""The client side of Kubernetes: requests, list-watch caches with indexes, keyed work queue, reconcile
loop, patches, leases, event recorder.

What is here serves every component alike and knows none of our kinds by name. Whoever calls gets typed
objects and errors of ``basis.errors``; no aiohttp type leaves this package save a WebSocket.
What a component decides does not belong here, only how its decisions are carried out.
"""
