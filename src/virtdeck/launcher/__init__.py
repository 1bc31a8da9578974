"""virt-launcher, PID 1 of a VM's pod: turns the VMI into a libvirt domain, runs it, and tells
virt-handler what became of it. Small, for one runs per VM; no access to Kubernetes."""
