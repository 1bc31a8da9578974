"""virt-launcher, PID 1 of a VM's pod: turns the VMI into a libvirt domain, runs it, and tells
virt-handler what became of it. Small, for one runs per VM; no access to Kubernetes.

What decides is pure (``domain``, ``lifecycle``, the plans in ``storage``); ``hypervisor`` alone speaks to
libvirt. Plain asyncio with task groups instead of anyio, and no ssl module: both together would cost each VM
8 MB and 20 ms.
"""
