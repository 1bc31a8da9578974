"""The only code that speaks to libvirt: its private daemon, the connection, calls and events.

The connection speaks libvirt's RPC protocol itself instead of loading the C library: the protocol is stable
(every libvirt since 0.9.8 serves it to older and newer clients alike), needs no threads beside the event
loop, and spares each VM 15 MB. Nothing here knows what a VMI is.
"""
