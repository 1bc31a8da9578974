"""How virt-handler reaches the launchers of its node and hears from them.

A launcher is known by the folder its socket lies in and by the kernel's word on who listens there; what it
says of its own name is a claim that must agree. Knows nothing of the Kubernetes API.
"""
