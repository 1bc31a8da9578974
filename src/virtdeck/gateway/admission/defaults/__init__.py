"""What is filled in when an author leaves it out. Each module knows one area; all change a private copy of
the object, which stays plain JSON so that fields from the future ride along.

Applying the defaults twice changes nothing.
"""

from virtdeck.gateway.admission.defaults.fresh import Fresh, fresh
from virtdeck.gateway.admission.defaults.vm import mutate_vm
from virtdeck.gateway.admission.defaults.vmi import fill_vmi_spec, mutate_vmi

__all__ = ["Fresh", "fill_vmi_spec", "fresh", "mutate_vm", "mutate_vmi"]
