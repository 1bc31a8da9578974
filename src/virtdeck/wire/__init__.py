"""Versioned messages between gateway, node agent and launcher, and the framing of streams.

Values only: no socket, file or clock is touched here. A field is only ever added, with a default.
"""
