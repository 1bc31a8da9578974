"""template.kubevirt.io: virtual machines with parameters, and the job that makes one from a machine."""
