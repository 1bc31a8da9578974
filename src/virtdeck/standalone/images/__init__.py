"""The local image store: disks and kernels in OCI images, beside the containers that use them.

A store is a folder; every process opens it anew, takes its lock to change it, and no daemon owns it.
What comes from a registry or a user is hostile: it is unpacked by our own code in a confined child, and only
regular files and folders are kept. Pods, the API and QEMU are not known here.
"""
