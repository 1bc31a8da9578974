"""Files and disk images that a user, a guest or a registry may have shaped.

Here stands the one way to reach a file below a folder that somebody else can write to (openat2, no links,
no ``..``), the reading of files that a kubelet mounted, and the one parser that looks at a disk image before
QEMU does. They know nothing of Kubernetes, pods or libvirt; what to do about a refusal is the caller's part.
"""
