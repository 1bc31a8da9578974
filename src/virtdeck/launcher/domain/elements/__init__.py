"""libvirt's XML as frozen values: one class an element, one field an attribute or child, in libvirt's order.

No policy: any document that libvirt accepts could be written with them. They are msgspec Structs and not
dataclasses, since 70 dataclasses would take 40 ms of each launcher's start.
"""
