"""Which pod is a VMI's, and whether emulation is allowed."""

from typing import Any

import pytest
from tests.unit.node_agent.builders import POD_UID, pod, vmi

from virtdeck.crds.codec import decode, to_dict
from virtdeck.crds.core.pod import Pod
from virtdeck.crds.kubevirt.kubevirt import KubeVirt
from virtdeck.node_agent.vmi.host import allows_emulation
from virtdeck.node_agent.vmi.reconciler import choose_pod

STRANGER = {"apiVersion": "v1", "kind": "X", "name": "demo", "uid": "other", "controller": True}


def with_meta(**meta: Any) -> Pod:
    plain = to_dict(pod())
    return decode(plain | {"metadata": plain["metadata"] | meta}, Pod)


def test_the_vmis_own_pod_is_chosen() -> None:
    assert choose_pod(vmi(), [pod()]) == pod()


@pytest.mark.parametrize(
    "meta", [{"ownerReferences": []}, {"ownerReferences": [STRANGER]}, {"uid": "look-alike"}]
)
def test_a_look_alike_is_not(meta: dict[str, Any]) -> None:
    assert choose_pod(vmi(), [with_meta(**meta)]) is None


def test_the_named_pod_wins_over_a_newer_one() -> None:
    newer = with_meta(uid="newer", creationTimestamp="2030-01-01T00:00:00Z")
    chosen = choose_pod(vmi(), [newer, pod()])
    assert chosen is not None
    assert chosen.metadata.uid == POD_UID


@pytest.mark.parametrize(
    ("configuration", "allowed"),
    [
        ({"developerConfiguration": {"useEmulation": True}}, True),
        ({"developerConfiguration": {"useEmulation": False}}, False),
        ({"developerConfiguration": {}}, False),
        ({}, False),
    ],
)
def test_emulation_is_allowed_by_the_kubevirt_object_alone(
    configuration: dict[str, Any], allowed: bool
) -> None:
    installed = decode({"metadata": {"name": "kubevirt"}, "spec": {"configuration": configuration}}, KubeVirt)
    assert allows_emulation(installed) is allowed
