"""For each default a draft that it fills in, what stands there then, and drafts that it leaves alone."""

from dataclasses import dataclass
from typing import Any

from tests.unit.gateway.admission.build import (
    ALICE,
    CLUSTER,
    CONTROLLER,
    FRESH,
    Plain,
    devices,
    merged,
    root_disk,
    root_volume,
    vm,
    vmi,
)
from tests.unit.gateway.admission.examples.example import gates

from virtdeck.gateway.admission import ClusterConfig
from virtdeck.gateway.admission.defaults.draft import ChangedInstance, Draft, MachineDraft, NewInstance
from virtdeck.gateway.admission.defaults.presets import PresetDraft
from virtdeck.gateway.admission.kinds.clone import CloneDraft


@dataclass(frozen=True)
class Filled:
    """fills: a draft that lacks something. path: where ``value`` stands then. leaves: whole drafts."""

    fills: Any
    path: str
    value: Any
    leaves: tuple[Any, ...]

    def found(self, draft: Any) -> Any:
        """What stands at the path."""
        value = draft
        for name in self.path.split("/"):
            if isinstance(value, list):
                value = value[int(name)]
            else:
                value = value[name] if isinstance(value, dict) else getattr(value, name)
        return value


_ID = "5d307ca9-b3ef-428c-8861-06e72d69f223"
_PCI = {"kubevirt.io/pci-topology-version": "v3"}
_S390X, _ARM = {"architecture": "s390x"}, {"architecture": "arm64"}
_LIVE = ClusterConfig(live_update=True)
_PARITY = "alpha.kubevirt.io/EmulatorThreadCompleteToEvenParity"


def _draft(*changes: Plain, cluster: ClusterConfig = CLUSTER, **metadata: Any) -> Draft:
    spec = vmi()["spec"] | {"architecture": "amd64"}
    for change in changes:
        spec = merged(spec, change)
    return Draft(metadata, spec, cluster, FRESH)


def _new(status: Plain | None = None, cluster: ClusterConfig = CLUSTER, **metadata: Any) -> NewInstance:
    spec = merged(vmi()["spec"], _domain(cpu={"cores": 2, "sockets": 1, "threads": 1}))
    return NewInstance(metadata, spec, cluster, FRESH, status or {})


def _machine(template: Plain, old: Plain | None = None, **metadata: Any) -> MachineDraft:
    obj = vm(template=template)
    obj["spec"]["template"]["metadata"] = metadata
    return MachineDraft(obj, old, CLUSTER, FRESH)


def _domain(**domain: Any) -> Plain:
    return {"domain": domain}


def _changed(status: Plain | None, old: Plain | None, user: Any = ALICE) -> ChangedInstance:
    new, before = ({"status": found} if found is not None else {} for found in (status, old))
    return ChangedInstance(vmi() | new, vmi() | before, user, CLUSTER)


def _preset(**domain: Any) -> Plain:
    selector = {"matchLabels": {"size": "s"}}
    return {"metadata": {"name": "small"}, "spec": {"selector": selector, "domain": domain}}


_IDENTITY = {"firmware": {"uuid": "u", "serial": "s"}}
_STORED = vm(template=_domain(**_IDENTITY))
_MACHINES = {
    "D4": Filled(
        _machine({}),
        "spec/domain/firmware",
        {"uuid": _ID, "serial": _ID},
        (_machine(_domain(**_IDENTITY)), _machine({}, old=_STORED)),
    ),
    "identity_is_kept": Filled(
        _machine({}, old=_STORED),
        "spec/domain/firmware",
        _IDENTITY["firmware"],
        (_machine(_domain(firmware={"uuid": "x", "serial": "y"}), old=_STORED), _machine({})),
    ),
    "D5": Filled(_machine({}), "spec/architecture", "amd64", (_machine(_ARM),)),
    "D6": Filled(
        _machine(_S390X),
        "spec/domain/machine/type",
        "s390-ccw-virtio",
        (_machine(_ARM | _domain(machine={"type": "v"})),),
    ),
    "D7": Filled(
        _machine(_domain(machine={"type": "q35"})),
        "template/metadata/annotations",
        _PCI,
        (
            _machine(_domain(machine={"type": "s390"})),
            _machine(_domain(machine={"type": "q35"}), old=_STORED),
        ),
    ),
}
_PLAIN = {
    "D9a": Filled(
        _draft({"architecture": None}, cluster=ClusterConfig(architecture="arm64")),
        "spec/architecture",
        "arm64",
        (_draft(_S390X),),
    ),
    "D9b": Filled(
        _draft(_ARM), "spec/domain/machine/type", "virt", (_draft(_domain(machine={"type": "pc-q35-9.2"})),)
    ),
    "D38": Filled(
        _draft(_domain(machine={"type": "pc-q35-9.2"})),
        "metadata/annotations",
        _PCI,
        (
            _draft(_domain(machine={"type": "s390-ccw-virtio"})),
            _draft(_domain(machine={"type": "q35"}), annotations={next(iter(_PCI)): "v2"}),
        ),
    ),
    "D24": Filled(_draft(), "spec/domain/firmware/uuid", _ID, (_draft(_domain(firmware={"uuid": "mine"})),)),
    "D28a": Filled(
        _draft(_ARM),
        "spec/domain/firmware/bootloader",
        {"efi": {"secureBoot": False}},
        (
            _draft(_ARM, _domain(firmware={"bootloader": {"efi": {}}})),
            _draft(_domain(firmware={"uuid": "u"})),
        ),
    ),
    "D28b": Filled(
        _draft(_ARM),
        "spec/domain/cpu/model",
        "host-passthrough",
        (_draft(_ARM, _domain(cpu={"model": "x"})), _draft()),
    ),
    "D29": Filled(
        _draft(cluster=ClusterConfig(cpu_model="Haswell")),
        "spec/domain/cpu/model",
        "Haswell",
        (_draft(_domain(cpu={"model": "host-passthrough"})),),
    ),
    "D33": Filled(
        _draft(
            _domain(cpu={"isolateEmulatorThread": True}),
            cluster=gates("AlignCPUs", even_parity=True),
        ),
        "metadata/annotations",
        {_PARITY: ""},
        (
            _draft(_domain(cpu={"isolateEmulatorThread": True}), cluster=gates(even_parity=True)),
            _draft(_domain(cpu={"isolateEmulatorThread": True}), cluster=gates("AlignCPUs")),
            _draft(cluster=gates("AlignCPUs", even_parity=True)),
        ),
    ),
    "D34": Filled(
        _draft(_domain(launchSecurity={"tdx": {}})),
        "metadata/annotations",
        {"kubevirt.io/qgs-socket-path": "/var/run/tdx-qgs/qgs.socket"},
        (_draft(_domain(launchSecurity={"snp": {}})), _draft()),
    ),
    "D16": Filled(
        _draft(cluster=ClusterConfig(eviction_strategy="LiveMigrate")),
        "spec/evictionStrategy",
        "LiveMigrate",
        (
            _draft(),
            _draft({"evictionStrategy": "None"}, cluster=ClusterConfig(eviction_strategy="LiveMigrate")),
        ),
    ),
}


def _resources(requests: Plain | None = None, limits: Plain | None = None, **domain: Any) -> Plain:
    return _domain(resources={"requests": requests or {}, "limits": limits or {}}, **domain)


_COMPUTE = {
    "D10": Filled(
        _draft(_resources(limits={"cpu": "2"})),
        "spec/domain/resources/requests/cpu",
        "2",
        (_draft(_resources({"cpu": "1"}, {"cpu": "2"})), _draft()),
    ),
    "D11": Filled(
        _draft(cluster=ClusterConfig(cpu_request="200m")),
        "spec/domain/resources/requests/cpu",
        "200m",
        (
            _draft(cluster=ClusterConfig(cpu_request="100m")),
            _draft(_resources({"cpu": "1"}), cluster=ClusterConfig(cpu_request="200m")),
        ),
    ),
    "D12": Filled(
        _draft(_resources(limits={"memory": "1Gi"}, memory=None)),
        "spec/domain/memory/guest",
        "1Gi",
        (_draft(_resources({"memory": "1Gi"})), _draft(_domain(memory=None))),
    ),
    "D13": Filled(
        _draft(_domain(memory={"guest": None, "hugepages": {"pageSize": "1Gi"}})),
        "spec/domain/memory/guest",
        "1Gi",
        (_draft(_domain(memory={"hugepages": {"pageSize": "2Mi"}})), _draft()),
    ),
    "D14a": Filled(
        _draft(_resources({"cpu": "100m"}, {"cpu": "2500m"})),
        "spec/domain/cpu/sockets",
        3,
        (_draft(_resources(limits={"cpu": "3"}, cpu={"cores": 2})),),
    ),
    "D14b": Filled(
        _draft(_domain(cpu={"sockets": 2})),
        "spec/domain/cpu",
        {"cores": 1, "sockets": 2, "threads": 1},
        (_draft(_domain(cpu={"cores": 4, "sockets": 2, "threads": 2})),),
    ),
    "D31a": Filled(
        _draft(_domain(cpu={"cores": 1, "sockets": 2, "threads": 1}), cluster=_LIVE),
        "spec/domain/cpu/maxSockets",
        8,
        (
            _draft(_domain(cpu={"cores": 1, "sockets": 2, "threads": 1})),
            _draft(_domain(cpu={"cores": 1, "sockets": 2, "threads": 1, "maxSockets": 3}), cluster=_LIVE),
            _draft(_ARM, _domain(cpu={"cores": 1, "sockets": 2, "threads": 1}), cluster=_LIVE),
        ),
    ),
    "D31b": Filled(
        _draft(_domain(memory={"guest": "1Gi"}), cluster=_LIVE),
        "spec/domain/memory/maxGuest",
        "4Gi",
        (
            _draft(_domain(memory={"guest": "1Gi"})),
            _draft(_domain(memory={"guest": "512Mi"}), cluster=_LIVE),
            _draft(_domain(memory={"guest": "1025Mi"}), cluster=_LIVE),
            _draft(_domain(memory={"guest": "1Gi"}, launchSecurity={"snp": {}}), cluster=_LIVE),
            _draft(_domain(memory={"guest": "1Gi", "maxGuest": "2Gi"}), cluster=_LIVE),
        ),
    ),
}
_STORAGE = {
    "D15": Filled(
        _draft(root_volume(containerDisk={"image": "registry.example.com/a"})),
        "spec/volumes/0/containerDisk/imagePullPolicy",
        "Always",
        (_draft(root_volume(containerDisk={"image": "a", "imagePullPolicy": "Never"})),),
    ),
    "D18": Filled(
        _draft({"volumes": [*vmi()["spec"]["volumes"], {"name": "more", "emptyDisk": {"capacity": "1Gi"}}]}),
        "spec/domain/devices/disks/1",
        {"name": "more"},
        (_draft(), _draft(devices(disks=[], filesystems=[{"name": "root", "virtiofs": {}}]))),
    ),
    "D19": Filled(
        _draft(root_disk(disk=None)),
        "spec/domain/devices/disks/0/disk",
        {},
        (_draft(root_disk(disk=None, lun={})),),
    ),
    "D20": Filled(
        _draft(root_disk(disk={})), "spec/domain/devices/disks/0/disk/bus", "sata", (_draft(root_disk()),)
    ),
    "D21a": Filled(
        _draft(root_disk(disk=None, cdrom={})),
        "spec/domain/devices/disks/0/cdrom/readonly",
        True,
        (_draft(root_disk(disk=None, cdrom={"readonly": False})), _draft()),
    ),
    "D21b": Filled(
        _draft(root_disk(disk=None, cdrom={})),
        "spec/domain/devices/disks/0/cdrom/tray",
        "closed",
        (_draft(root_disk(disk=None, cdrom={"tray": "open"})), _draft()),
    ),
    "D17": Filled(
        _draft({"networks": None, "domain": {"devices": {"interfaces": None}}}),
        "spec/networks",
        [{"name": "default", "pod": {}}],
        (
            _draft(),
            _draft(
                {
                    "networks": None,
                    "domain": {"devices": {"interfaces": None, "autoattachPodInterface": False}},
                }
            ),
        ),
    ),
}


def _hyperv(**features: Any) -> Draft:
    return _draft(_domain(features={"hyperv": features}))


_OFF = {"enabled": False}
_FEATURES = {
    "D26a": Filled(
        _draft(), "spec/domain/features/acpi", {"enabled": True}, (_draft(_domain(features={"acpi": _OFF})),)
    ),
    "D27a": Filled(
        _hyperv(synictimer={}),
        "spec/domain/features/hyperv",
        {"synictimer": {}, "synic": {}, "vpindex": {}},
        (_hyperv(ipi=_OFF), _hyperv(tlbflush={}, vpindex=_OFF), _draft()),
    ),
    "D27b": Filled(
        _hyperv(evmcs={}),
        "spec/domain/cpu/features",
        [{"name": "vmx", "policy": "require"}],
        (
            _hyperv(evmcs=_OFF),
            _draft(_domain(features={"hyperv": {"evmcs": {}}}, cpu={"features": [{"name": "vmx"}]})),
        ),
    ),
    "D26b": Filled(
        _draft(_domain(features={"smm": {}, "apic": _OFF, "hyperv": {"tlbflush": {"direct": {}}}})),
        "spec/domain/features",
        {
            "smm": {"enabled": True},
            "apic": _OFF,
            "hyperv": {"tlbflush": {"enabled": True, "direct": {"enabled": True}}},
        },
        (_draft(_domain(features={"smm": _OFF, "kvm": {"hidden": True}})),),
    ),
    "D26c": Filled(
        _hyperv(spinlocks={}),
        "spec/domain/features/hyperv/spinlocks/spinlocks",
        4096,
        (_hyperv(spinlocks={"spinlocks": 8191}), _hyperv(spinlocks=_OFF)),
    ),
    "D25": Filled(
        _draft(_domain(clock={"timer": {"hpet": {}}})),
        "spec/domain/clock/timer/hpet/present",
        True,
        (_draft(_domain(clock={"timer": {"hpet": {"present": False}}})),),
    ),
    "D22a": Filled(
        _draft(_S390X, devices(watchdog={"name": "w"})),
        "spec/domain/devices/watchdog/diag288",
        {},
        (_draft(devices(watchdog={"name": "w", "i6300esb": {}})), _draft()),
    ),
    "D22b": Filled(
        _draft(devices(watchdog={"name": "w", "i6300esb": {}})),
        "spec/domain/devices/watchdog/i6300esb/action",
        "reset",
        (_draft(devices(watchdog={"name": "w", "i6300esb": {"action": "poweroff"}})),),
    ),
    "D23a": Filled(
        _draft(devices(inputs=[{"name": "i"}])),
        "spec/domain/devices/inputs/0/bus",
        "usb",
        (_draft(devices(inputs=[{"name": "i", "bus": "virtio"}])),),
    ),
    "D23b": Filled(
        _draft(devices(inputs=[{"name": "i", "type": ""}])),
        "spec/domain/devices/inputs/0/type",
        "tablet",
        (_draft(devices(inputs=[{"name": "i", "type": "tablet"}])),),
    ),
    "D30": Filled(
        _draft({"livenessProbe": {"periodSeconds": 3}}),
        "spec/livenessProbe",
        {"timeoutSeconds": 1, "periodSeconds": 3, "successThreshold": 1, "failureThreshold": 3},
        (_draft(),),
    ),
}
_FINALIZER = "kubevirt.io/foregroundDeleteVirtualMachine"
_STATUS = {
    "D36": Filled(
        _new(finalizers=["mine"]),
        "metadata/finalizers",
        ["mine", _FINALIZER],
        (_new(finalizers=[_FINALIZER]),),
    ),
    "D37": Filled(
        _new(),
        "status",
        {
            "phase": "Pending",
            "phaseTransitionTimestamps": [{"phase": "Pending", "phaseTransitionTimestamp": FRESH.now}],
        },
        (_new({"phase": "Running"}),),
    ),
    "D32a": Filled(
        _new(),
        "status/currentCPUTopology",
        {"cores": 2, "sockets": 1, "threads": 1},
        (_new({"currentCPUTopology": {"cores": 1}}),),
    ),
    "D32b": Filled(
        _new(),
        "status/memory",
        dict.fromkeys(("guestAtBoot", "guestCurrent", "guestRequested"), "128Mi"),
        (_new({"memory": {"guestAtBoot": "1Gi"}}),),
    ),
    "D35": Filled(_new(), "status/runtimeUser", 107, (_new(cluster=gates("Root")), _new({"runtimeUser": 0}))),
    "D39": Filled(
        _changed({"phase": "Failed"}, {"phase": "Running"}),
        "vmi/status",
        {"phase": "Running"},
        (_changed({"phase": "Failed"}, {"phase": "Running"}, CONTROLLER), _changed({"a": 1}, {"a": 1})),
    ),
}
_VMI_LABEL = "kubevirt.io/vmi-name"
_OTHERS = {
    "D8": Filled(
        PresetDraft(vmi(labels={"size": "s"}), (_preset(cpu={"cores": 4}),)),
        "vmi/spec/domain/cpu",
        {"cores": 4},
        (
            PresetDraft(vmi(), ()),
            PresetDraft(vmi({"domain": {"cpu": {"cores": 2}}}), (_preset(cpu={"cores": 4}),)),
        ),
    ),
    "D40": Filled(
        {"metadata": {}, "spec": {"vmiName": "a"}},
        "metadata/labels",
        {_VMI_LABEL: "a"},
        ({"metadata": {}, "spec": {}},),
    ),
    "D41": Filled(
        CloneDraft({"spec": {"source": {"kind": "VirtualMachine", "name": "a"}}}, "abcde"),
        "clone/spec/target/name",
        "clone-a-abcde",
        (CloneDraft({"spec": {"source": {"name": "a"}, "target": {"name": "b"}}}, "abcde"),),
    ),
}
DEFAULT_EXAMPLES: dict[str, Filled] = {
    **_MACHINES,
    **_PLAIN,
    **_COMPUTE,
    **_STORAGE,
    **_FEATURES,
    **_STATUS,
    **_OTHERS,
}
