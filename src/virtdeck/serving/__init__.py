"""HTTP serving shared by every process that listens.

Here: TLS with client certificates, listening and stopping, limits on what a peer may send and how slowly,
the one mapping of errors to HTTP codes and Kubernetes Status, one log line a request, and streams that are
handed on byte for byte.
Not here: routes, identities, anything that knows a kind. Imports neither Starlette nor FastAPI.
"""
