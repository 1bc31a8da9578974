"""The one word that kubectl shows, and its order."""

from typing import Any

import pytest
from tests.unit.controllers.builders import vmi

from virtdeck.controllers.vm.printable import _ORDER, Facts, printable_status
from virtdeck.crds.kubevirt.vm_status import VirtualMachineStartFailure
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance

FAILURE = VirtualMachineStartFailure(consecutive_fail_count=1)


def condition(type_: str, status: str = "True", reason: str = "") -> list[dict[str, str]]:
    return [{"type": type_, "status": status, "reason": reason}]


def test_the_order_is_kubevirts() -> None:
    assert [word for word, _ in _ORDER] == [
        "Terminating",
        "Stopping",
        "Migrating",
        "Paused",
        "Running",
        "ErrorPvcNotFound",
        "ErrorUnschedulable",
        "Provisioning",
        "ErrImagePull",
        "ImagePullBackOff",
        "Starting",
        "CrashLoopBackOff",
        "Stopped",
    ]


@pytest.mark.parametrize(
    ("found", "facts", "word"),
    [
        (None, {"deleting": True}, "Terminating"),
        (vmi("Running", deleted=1), {}, "Stopping"),
        (vmi("Running"), {"stopping": True}, "Stopping"),
        (vmi("Succeeded", deleted=1), {}, "Stopped"),
        (vmi("Running", status={"migrationState": {"sourceNode": "n1"}}), {}, "Migrating"),
        (vmi("Running", status={"migrationState": {"completed": True}}), {}, "Running"),
        (vmi("Running", conditions=condition("Paused")), {}, "Paused"),
        (vmi("Running"), {}, "Running"),
        (
            vmi("Pending", conditions=condition("Synchronized", "False", "FailedPvcNotFound")),
            {},
            "ErrorPvcNotFound",
        ),
        (
            vmi("Scheduling", conditions=condition("PodScheduled", "False", "Unschedulable")),
            {},
            "ErrorUnschedulable",
        ),
        (vmi("Pending", conditions=condition("Provisioning")), {}, "Provisioning"),
        (
            vmi("Scheduling", conditions=condition("Synchronized", "False", "ErrImagePull")),
            {},
            "ErrImagePull",
        ),
        (
            vmi("Scheduling", conditions=condition("Synchronized", "False", "ImagePullBackOff")),
            {},
            "ImagePullBackOff",
        ),
        (vmi(), {}, "Starting"),
        (vmi("Pending"), {}, "Starting"),
        (vmi("Scheduling"), {}, "Starting"),
        (vmi("Scheduled"), {}, "Starting"),
        (None, {"starting": True}, "Starting"),
        (None, {"failure": FAILURE}, "CrashLoopBackOff"),
        (vmi("Failed"), {"failure": FAILURE}, "CrashLoopBackOff"),
        (None, {"failure": FAILURE, "starting": True}, "Starting"),
        (None, {"failure": FAILURE, "strategy": "Manual"}, "Stopped"),
        (None, {}, "Stopped"),
        (vmi("Succeeded"), {}, "Stopped"),
        (vmi("Failed"), {}, "Stopped"),
        (vmi("Unknown"), {}, "Unknown"),
    ],
)
def test_the_first_word_that_holds_is_shown(
    found: VirtualMachineInstance | None, facts: dict[str, Any], word: str
) -> None:
    assert printable_status(Facts(**{"vmi": found, "strategy": "Always", **facts})) == word
