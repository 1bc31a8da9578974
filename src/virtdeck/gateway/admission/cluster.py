"""What the installation's KubeVirt object says that admission depends on."""

from dataclasses import dataclass, field

from virtdeck.crds.kubevirt.configuration import ArchSpecificConfiguration, KubeVirtConfiguration
from virtdeck.crds.kubevirt.configuration_components import DeveloperConfiguration
from virtdeck.crds.kubevirt.configuration_network import NetworkConfiguration
from virtdeck.crds.kubevirt.kubevirt import KubeVirt
from virtdeck.crds.scalars import Quantity
from virtdeck.gateway.admission.gates import gate_is_on
from virtdeck.gateway.auth.user import User

ARCHITECTURES = ("amd64", "arm64", "s390x")
_MACHINES = {"amd64": "q35", "arm64": "virt", "s390x": "s390-ccw-virtio"}
_EMULATED = {"amd64": ("q35*", "pc-q35*"), "arm64": ("virt*",), "s390x": ("s390-ccw-virtio*",)}
EVEN_PARITY = "alpha.kubevirt.io/EmulatorThreadCompleteToEvenParity"
QUOTE_SOCKET = "/var/run/tdx-qgs/qgs.socket"
_COMPONENTS = ("kubevirt-apiserver", "kubevirt-controller", "kubevirt-handler", "kubevirt-operator")


@dataclass(frozen=True)
class ClusterConfig:
    """Configuration of an installation, with KubeVirt's defaults.

    live_update: changes reach a running guest; until virtdeck can do that, only where it is asked for.
    """

    namespace: str = "kubevirt"
    architecture: str = "amd64"
    enabled_gates: frozenset[str] = frozenset()
    disabled_gates: frozenset[str] = frozenset()
    machine_types: dict[str, str] = field(default_factory=lambda: dict(_MACHINES))
    emulated_machines: dict[str, tuple[str, ...]] = field(default_factory=lambda: dict(_EMULATED))
    cpu_model: str | None = None
    cpu_request: Quantity | None = None
    eviction_strategy: str | None = None
    default_interface: str = "bridge"
    bridge_on_pod_network: bool = True
    live_update: bool = False
    max_hotplug_ratio: int = 4
    max_cpu_sockets: int | None = None
    max_guest: Quantity | None = None
    persistent_reservation: bool = False
    permitted_pci: dict[str, str] = field(default_factory=dict)
    template_deployment: bool = False
    even_parity: bool = False
    quote_socket: str = QUOTE_SOCKET

    def gate(self, name: str) -> bool:
        """Whether a feature gate is on."""
        return gate_is_on(name, self.enabled_gates, self.disabled_gates)

    def is_component(self, user: User, *names: str) -> bool:
        """True for virtdeck's own accounts, or those of them that are named."""
        prefix = f"system:serviceaccount:{self.namespace}:"
        return user.name.startswith(prefix) and user.name.removeprefix(prefix) in (names or _COMPONENTS)


def cluster_config(installation: KubeVirt | None, namespace: str = "kubevirt") -> ClusterConfig:
    """The configuration of this installation; defaults where it says nothing, or is not there."""
    config = (installation.spec.configuration if installation else None) or KubeVirtConfiguration()
    developer = config.developer_configuration or DeveloperConfiguration()
    network = config.network or NetworkConfiguration()
    live, reservation = config.live_update_configuration, config.persistent_reservation_configuration
    templates = config.virt_template_deployment
    return ClusterConfig(
        namespace=namespace,
        architecture=_architecture(installation, config),
        enabled_gates=frozenset(developer.feature_gates or ()),
        disabled_gates=frozenset(developer.disabled_feature_gates or ()),
        machine_types=_machine_types(config),
        emulated_machines=_emulated_machines(config),
        cpu_model=config.cpu_model or None,
        cpu_request=config.cpu_request,
        eviction_strategy=config.eviction_strategy or None,
        default_interface=network.default_network_interface or "bridge",
        bridge_on_pod_network=network.permit_bridge_interface_on_pod_network is not False,
        live_update=config.vm_rollout_strategy == "LiveUpdate",
        max_hotplug_ratio=(live and live.max_hotplug_ratio) or 4,
        max_cpu_sockets=live.max_cpu_sockets if live else None,
        max_guest=live.max_guest if live else None,
        persistent_reservation=bool(reservation and reservation.enabled),
        permitted_pci=_permitted_pci(config),
        template_deployment=templates is not None and templates.enabled is not False,
        even_parity=EVEN_PARITY in ((installation and installation.metadata.annotations) or {}),
        quote_socket=_quote_socket(config),
    )


def _architecture(installation: KubeVirt | None, config: KubeVirtConfiguration) -> str:
    by_arch = config.architecture_configuration
    told = by_arch.default_architecture if by_arch else None
    found = installation.status.default_architecture if installation else None
    return told or found or "amd64"


def _by_arch(config: KubeVirtConfiguration) -> dict[str, ArchSpecificConfiguration]:
    by_arch = config.architecture_configuration
    if by_arch is None:
        return {}
    named = {"amd64": by_arch.amd64, "arm64": by_arch.arm64, "s390x": by_arch.s390x}
    return {arch: found for arch, found in named.items() if found}


def _permitted_pci(config: KubeVirtConfiguration) -> dict[str, str]:
    """PCI devices that guests may have: name of the resource → vendor and device."""
    permitted = config.permitted_host_devices
    devices = (permitted.pci_host_devices if permitted else None) or ()
    return {device.resource_name: device.pci_vendor_selector for device in devices}


def _quote_socket(config: KubeVirtConfiguration) -> str:
    """Where nodes have the service that signs the quotes of TDX."""
    tdx = config.confidential_compute.tdx if config.confidential_compute else None
    attestation = tdx.attestation if tdx else None
    return (attestation.qgs_socket_path if attestation else None) or QUOTE_SOCKET


def _machine_types(config: KubeVirtConfiguration) -> dict[str, str]:
    """The older field ``machineType`` speaks for amd64."""
    told = {"amd64": config.machine_type} | {a: c.machine_type for a, c in _by_arch(config).items()}
    return _MACHINES | {arch: machine for arch, machine in told.items() if machine}


def _emulated_machines(config: KubeVirtConfiguration) -> dict[str, tuple[str, ...]]:
    told = {"amd64": config.emulated_machines} | {a: c.emulated_machines for a, c in _by_arch(config).items()}
    return _EMULATED | {arch: machines for arch, machines in told.items() if machines}
