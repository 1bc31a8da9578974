"""HTTPS serving shared by every process that listens: TLS with client certificates, limits, and the one
mapping of errors to Kubernetes Status."""
