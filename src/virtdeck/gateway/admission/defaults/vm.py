"""What a VirtualMachine gets when it is stored: only what must not change later (D1–D7)."""

from collections.abc import Mapping

from virtdeck.crds.instancetype.preference import VirtualMachinePreferenceSpec
from virtdeck.crds.plain import Plain, part
from virtdeck.gateway.admission.choice import Inferred, Which
from virtdeck.gateway.admission.cluster import ClusterConfig
from virtdeck.gateway.admission.copying import copied
from virtdeck.gateway.admission.decoding import decodes_as_vm
from virtdeck.gateway.admission.defaults import identity, matchers
from virtdeck.gateway.admission.defaults.draft import MachineDraft
from virtdeck.gateway.admission.defaults.fresh import Fresh


def name_what_is_inferred(obj: Plain, inferred: Mapping[Which, Inferred]) -> Plain:
    """The object with matchers that name what was found; the same value when nothing was inferred."""
    if not inferred:
        return obj
    vm = copied(obj)
    matchers.INFERRED.fill(matchers.NamingDraft(vm, inferred))
    return vm


def mutate_vm(
    obj: Plain,
    old: Plain | None,
    cluster: ClusterConfig,
    fresh: Fresh,
    preference: VirtualMachinePreferenceSpec | None = None,
) -> Plain:
    """The object as it is to be stored. What cannot be read is left to the API server to refuse.

    preference: the one that the machine names, when it is there.
    """
    if not decodes_as_vm(obj) or (obj.get("metadata") or {}).get("deletionTimestamp"):
        return obj
    vm = copied(obj)
    template = vm["spec"]["template"]
    part(part(part(template, "spec"), "domain"), "devices")
    matchers.DEFAULTS.fill(matchers.NamingDraft(vm, preference=preference))
    stored = old if old is None or decodes_as_vm(old) else {}
    identity.DEFAULTS.fill(MachineDraft(vm, stored, cluster, fresh))
    return vm
