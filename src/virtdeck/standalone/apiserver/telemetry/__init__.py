"""What the server tells of itself: health checks, metrics under Kubernetes' names, the audit log.

Belongs here: counting, timing and writing down what became of requests, and presenting it.
Does not: deciding anything about a request. Nothing here may hold one up or make it fail.
"""
