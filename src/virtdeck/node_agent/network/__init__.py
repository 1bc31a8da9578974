"""The pod's network made fit for a guest: bridge, tap, address translation and the facts for DHCP.

``plan`` decides (pure), ``namespace`` enters the pod's network namespace, ``netlink``, ``nftables`` and
``tap`` carry out. Everything may be repeated: what is there already is kept, what is missing is made.
The pod's own address comes from CNI and is never taken from the guest.
"""
