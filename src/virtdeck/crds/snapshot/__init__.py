"""snapshot.kubevirt.io: a virtual machine at one moment, what was saved of it, and the way back."""
