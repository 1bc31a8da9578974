"""What a VirtualMachineInstance gets when it is stored (D9–D39)."""

from copy import deepcopy

from virtdeck.crds.plain import Plain, listed, part, unset
from virtdeck.gateway.admission.amounts import bytes_or_none
from virtdeck.gateway.admission.cluster import ClusterConfig
from virtdeck.gateway.admission.decoding import decodes_as_vmi
from virtdeck.gateway.admission.defaults import compute, disks, features, machine
from virtdeck.gateway.admission.defaults.fresh import Fresh
from virtdeck.gateway.auth.user import User
from virtdeck.instancetype.attached import attach_disks, attach_network

_NOBODY = Fresh("", lambda: "")

FINALIZER = "kubevirt.io/foregroundDeleteVirtualMachine"


def mutate_vmi(obj: Plain, old: Plain | None, user: User, cluster: ClusterConfig, fresh: Fresh) -> Plain:
    """The object as it is to be stored. What cannot be read is left to the API server to refuse."""
    if old is not None:
        return _own_status(obj, old, user, cluster)
    if not decodes_as_vmi(obj):
        return obj
    vmi = deepcopy(obj)
    metadata = part(vmi, "metadata")
    fill_vmi_spec(metadata, vmi["spec"], cluster, fresh)
    if FINALIZER not in (metadata.get("finalizers") or ()):
        metadata["finalizers"] = [*(metadata.get("finalizers") or ()), FINALIZER]
    if not cluster.is_component(user):
        vmi["status"] = {}
    _fill_status(part(vmi, "status"), vmi["spec"], fresh)
    return vmi


def fill_vmi_spec(metadata: Plain, spec: Plain, cluster: ClusterConfig, fresh: Fresh) -> None:
    """The spec is complete: whoever renders a pod or a domain from it needs no defaults of their own."""
    machine.fill_architecture(spec, cluster)
    machine.fill_machine(spec, cluster)
    machine.fill_pci_topology(metadata, spec)
    machine.fill_identity(spec, fresh, serial=False)
    machine.fill_boot_loader(spec)
    compute.fill_cpu_request(spec, cluster)
    compute.fill_guest_memory(spec)
    compute.fill_topology(spec)
    machine.fill_cpu_model(spec, cluster)
    compute.fill_room_to_grow(spec, cluster)
    disks.fill_pull_policies(spec)
    attach_disks(spec)
    disks.fill_disk_targets(spec)
    attach_network(spec, cluster.default_interface)
    features.fill_features(spec)
    features.fill_timers(spec)
    features.fill_watchdog(spec)
    features.fill_inputs(spec)
    features.fill_probes(spec)
    if cluster.eviction_strategy:
        unset(spec, "evictionStrategy", cluster.eviction_strategy)


def complete_template(template: Plain, cluster: ClusterConfig) -> None:
    """The template is as complete as the VMI's spec will be; who its guest is, is not decided by looking."""
    spec = part(template, "spec")
    part(part(spec, "domain"), "devices")
    fill_vmi_spec(part(template, "metadata"), spec, cluster, _NOBODY)
    if not spec["domain"]["firmware"]["uuid"]:
        del spec["domain"]["firmware"]["uuid"]


def _fill_status(status: Plain, spec: Plain, fresh: Fresh) -> None:
    """A new VMI says Pending from the first moment, which spares a write."""
    if status.get("phase") in (None, ""):
        status["phase"] = "Pending"
        stamp = {"phase": "Pending", "phaseTransitionTimestamp": fresh.now}
        listed(status, "phaseTransitionTimestamps").append(stamp)
    cpu = spec["domain"]["cpu"]
    unset(status, "currentCPUTopology", {key: cpu[key] for key in ("cores", "sockets", "threads")})
    guest = (spec["domain"].get("memory") or {}).get("guest")
    if bytes_or_none(guest) is not None:
        unset(status, "memory", dict.fromkeys(("guestAtBoot", "guestCurrent", "guestRequested"), guest))


def _own_status(obj: Plain, old: Plain, user: User, cluster: ClusterConfig) -> Plain:
    """A VMI has no status subresource, so what others than the components write into its status is undone."""
    if cluster.is_component(user) or obj.get("status") == old.get("status"):
        return obj
    kept = {key: value for key, value in obj.items() if key != "status"}
    return kept | ({"status": deepcopy(old["status"])} if "status" in old else {})
