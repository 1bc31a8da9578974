"""KubeVirt objects (V418–V439), the configuration that they hold, and pods that say they are launchers."""

from typing import Any

import pytest
from tests.unit.gateway.admission.build import ALICE, CLUSTER, CONTROLLER, HANDLER, Plain

from virtdeck.crds.codec import decode
from virtdeck.crds.kubevirt.kubevirt import KubeVirt
from virtdeck.gateway.admission import (
    ClusterConfig,
    cluster_config,
    validate_launcher_pod,
)
from virtdeck.gateway.admission.kinds.kubevirt import validate_kubevirt, validate_kubevirt_delete
from virtdeck.gateway.auth.user import User

NODE = User("system:node:a", ("system:nodes",))


def _kubevirt(configuration: Plain | None = None, **spec: Any) -> Plain:
    return {"metadata": {"name": "kubevirt"}, "spec": {"configuration": configuration or {}, **spec}}


def test_there_is_one_installation() -> None:
    assert validate_kubevirt(_kubevirt(), None, ALICE, CLUSTER).allowed
    assert not validate_kubevirt(_kubevirt(), None, ALICE, CLUSTER, others=("kubevirt/other",)).allowed


def test_an_installation_with_vms_can_be_kept_from_being_deleted() -> None:
    careful = _kubevirt(uninstallStrategy="BlockUninstallIfWorkloadsExist")
    assert not validate_kubevirt_delete(careful, workloads=2).allowed
    assert validate_kubevirt_delete(careful, workloads=0).allowed
    assert validate_kubevirt_delete(_kubevirt(), workloads=2).allowed


def test_what_nobody_can_read_can_be_deleted() -> None:
    assert validate_kubevirt_delete({"spec": 1}, workloads=2).allowed


def test_gates_are_warned_about_when_they_change() -> None:
    gates = _kubevirt({"developerConfiguration": {"featureGates": ["HotplugVolumes", "Nonsense"]}})
    told = validate_kubevirt(gates, _kubevirt(), ALICE, CLUSTER)
    assert told.allowed
    assert len(told.warnings) == 2
    assert validate_kubevirt(gates, gates, ALICE, CLUSTER).warnings == ()


def _pod(labels: Plain | None = None, owners: list[Plain] | None = None) -> Plain:
    return {"metadata": {"name": "p", "labels": labels or {}, "ownerReferences": owners or []}}


_LAUNCHER = _pod(
    {"kubevirt.io": "virt-launcher", "kubevirt.io/created-by": "uid"},
    [{"kind": "VirtualMachineInstance", "uid": "uid"}],
)


@pytest.mark.parametrize("user", [ALICE, HANDLER, NODE], ids=str)
def test_only_the_controller_makes_launcher_pods(user: User) -> None:
    """S-12"""
    verdict = validate_launcher_pod(_LAUNCHER, None, user, CLUSTER)
    assert verdict.forbidden
    assert {cause.field for cause in verdict.causes} >= {
        "metadata.labels[kubevirt.io]",
        "metadata.ownerReferences",
    }
    assert not validate_launcher_pod(_LAUNCHER, _pod(), user, CLUSTER).allowed, "nor turns a pod into one"
    assert validate_launcher_pod(_LAUNCHER, _LAUNCHER, user, CLUSTER).allowed, (
        "what does not change is nobody's affair"
    )
    assert validate_launcher_pod(_LAUNCHER, None, CONTROLLER, CLUSTER).allowed


@pytest.mark.parametrize("broken", [{}, {"metadata": 3}, {"metadata": {"labels": [], "ownerReferences": {}}}])
def test_a_pod_that_cannot_be_read_breaks_nothing(broken: Plain) -> None:
    assert validate_launcher_pod(broken, None, ALICE, CLUSTER).allowed


def test_defaults_stand_where_the_installation_says_nothing() -> None:
    assert cluster_config(None) == ClusterConfig()
    assert cluster_config(decode(_kubevirt(), KubeVirt)) == ClusterConfig()


def test_the_installation_is_read() -> None:
    kubevirt = _kubevirt(
        {
            "cpuModel": "Haswell",
            "machineType": "pc-q35-9.2",
            "evictionStrategy": "LiveMigrate",
            "vmRolloutStrategy": "LiveUpdate",
            "liveUpdateConfiguration": {"maxCpuSockets": 8, "maxHotplugRatio": 2, "maxGuest": "8Gi"},
            "network": {"defaultNetworkInterface": "masquerade", "permitBridgeInterfaceOnPodNetwork": False},
            "architectureConfiguration": {
                "defaultArchitecture": "arm64",
                "arm64": {"machineType": "virt-9.2"},
            },
            "developerConfiguration": {
                "featureGates": ["HostDisk"],
                "disabledFeatureGates": ["RebootPolicy"],
            },
            "persistentReservationConfiguration": {"enabled": True},
        }
    )
    config = cluster_config(decode(kubevirt, KubeVirt), "vms")
    assert config.architecture == "arm64"
    assert config.machine_types == {"amd64": "pc-q35-9.2", "arm64": "virt-9.2", "s390x": "s390-ccw-virtio"}
    assert (config.gate("HostDisk"), config.gate("RebootPolicy"), config.gate("Snapshot")) == (
        True,
        False,
        True,
    )
    assert (config.live_update, config.max_cpu_sockets, config.max_hotplug_ratio) == (True, 8, 2)
    assert (config.default_interface, config.bridge_on_pod_network) == ("masquerade", False)
    assert config.is_component(User("system:serviceaccount:vms:kubevirt-handler"))
    assert not config.is_component(HANDLER), "another namespace's account"


@pytest.mark.parametrize(
    ("gate", "on"),
    [
        ("Snapshot", True),
        ("NUMA", True),
        ("Sidecar", False),
        ("Passt", False),
        ("HotplugVolumes", False),
        ("New", False),
    ],
)
def test_gates_are_as_kubevirt_has_them(gate: str, on: bool) -> None:
    assert ClusterConfig().gate(gate) is on
    asked = ClusterConfig(enabled_gates=frozenset({gate}))
    assert asked.gate(gate) is (gate != "Passt")
    refused = ClusterConfig(disabled_gates=frozenset({gate}))
    assert refused.gate(gate) is (gate == "NUMA")
