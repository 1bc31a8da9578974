"""From an ASGI scope to a parsed call, and from an answer or an error to bytes."""
