"""virt-controller: one sub-package a reconciled kind, each observe, decide, act.

What is decided stands in pure modules, by question; ``reconciler.py`` of each sub-package is the only one
that reads caches and writes objects. What a node does is virt-handler's, what a client may ask is virt-api's.
"""
