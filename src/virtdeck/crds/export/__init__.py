"""export.kubevirt.io: handing a virtual machine's disks and manifests out over HTTPS."""
