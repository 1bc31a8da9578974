"""clone.kubevirt.io: a copy of a virtual machine, or of a snapshot of one, under a new name."""
