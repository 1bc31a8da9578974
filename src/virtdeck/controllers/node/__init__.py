"""Nodes whose virt-handler fell silent: no new guests are placed there. Running guests are left alone, for a
silent virt-handler is no proof of a dead node."""
