"""The aggregated API ``subresources.kubevirt.io``: what can be done with a VM besides changing its spec.

``routes`` declares every path once; routing, access reviews, discovery, documentation and roles are read
from it. ``power`` and ``checks`` decide, as values; ``actions``, ``screens`` and ``forwarding`` carry out.
virt-api decides whether something may be done; virt-handler does it.
"""
