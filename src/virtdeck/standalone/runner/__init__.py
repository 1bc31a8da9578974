"""The pod runner: a kubelet's part on one machine, and the scheduler's beside it.

It runs the pods that virtdeck itself makes (launchers), each in a container of conmon and runc with a network
by CNI; any other pod is refused with a sentence. What it knows stands in the API, in the state folder and in
the kernel: it may be killed at any moment and adopts what runs when it comes back. KubeVirt's kinds, libvirt
and guests are not known here.
Masquerading is done by one nftables table per instance instead of CNI's ``ipMasq``, which starts about ten
iptables processes for each pod.
"""
