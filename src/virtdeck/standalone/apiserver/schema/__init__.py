"""Structural schemas: validation, pruning, defaulting, strict decoding. Pure."""
