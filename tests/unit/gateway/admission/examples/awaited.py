"""Ids that are not in the table yet; empty when everything is."""

AWAITED: set[str] = set()
