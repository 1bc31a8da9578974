"""The kinds of kubevirt.io, one module an area, fields and spelling as KubeVirt's API has them.

Import the module you need (``crds.kubevirt.vmi``): nothing is imported here, for every launcher pays for it.
"""
