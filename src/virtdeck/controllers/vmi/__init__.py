"""The VMI's controller: from a VMI to its launcher pod, and back from the pod to the VMI's status.

It owns the VMI until the pod runs (Pending, Scheduling, Scheduled) and again after the guest's end; in
between the phase is virt-handler's. docs/contracts.md says who writes which field.
"""
