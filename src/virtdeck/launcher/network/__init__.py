"""Tells the guest its address by DHCP, on bridges that virt-handler made.

dnsmasq will not serve DHCP without CAP_NET_ADMIN, which nothing in the pod has; one guest with one fixed
address needs no lease database either. ``messages`` is pure, ``server`` holds the socket.
"""
