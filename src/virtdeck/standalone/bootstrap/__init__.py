"""Puts into the embedded API server what virt-operator puts into a cluster: kinds, roles, webhooks, KubeVirt.

Runs once after each start of the API server, repairs what differs, and ends.
"""
