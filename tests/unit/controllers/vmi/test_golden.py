"""The launcher pods of KubeVirt's own example manifests are those that were reviewed: tests/golden/pods.

VIRTDECK_REWRITE_GOLDEN=1 writes them anew; read the difference before you commit it.
"""

import os
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.unit.controllers.builders import LAUNCHER

from virtdeck.controllers.cluster import ClusterConfig
from virtdeck.controllers.vm.instance import render_vmi
from virtdeck.controllers.vmi.pod import render_pod
from virtdeck.crds.codec import decode, to_dict
from virtdeck.crds.kubevirt.vm import VirtualMachine
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance

TESTS = Path(__file__).parents[3]
EXAMPLES = TESTS / "data" / "kubevirt" / "examples"
GOLDEN = TESTS / "golden" / "pods"
NAMES = ("vm-cirros", "vmi-ephemeral", "vmi-kernel-boot", "vmi-masquerade", "vmi-nocloud")
IDENTITY = {"namespace": "default", "uid": "11111111-2222-3333-4444-555555555555"}


def pod_of(manifest: dict[str, Any]) -> dict[str, Any]:
    named = {**manifest, "metadata": {**manifest["metadata"], **IDENTITY}}
    if manifest["kind"] == "VirtualMachine":
        made = to_dict(render_vmi(decode(named, VirtualMachine)))
        named = {**made, "metadata": {**made["metadata"], **IDENTITY}}
    return to_dict(render_pod(decode(named, VirtualMachineInstance), LAUNCHER, ClusterConfig()))


@pytest.mark.parametrize("name", NAMES)
def test_the_pod_is_the_reviewed_one(name: str) -> None:
    manifest = yaml.safe_load((EXAMPLES / f"{name}.yaml").read_text())
    made = yaml.safe_dump(pod_of(manifest), sort_keys=True, width=110)
    golden = GOLDEN / f"{name}.yaml"
    if os.environ.get("VIRTDECK_REWRITE_GOLDEN"):
        golden.parent.mkdir(parents=True, exist_ok=True)
        golden.write_text(made)
    assert made == golden.read_text()
