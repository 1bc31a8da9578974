"""The VMI that a VM makes."""

from tests.unit.controllers.builders import SPEC, vm
from tests.unit.there import there

from virtdeck.controllers.vm.instance import render_vmi
from virtdeck.controllers.vm.revision import fingerprint, kept_fingerprint, render_revision, revision_facts


def test_the_vmi_has_the_vms_name_owner_and_generation() -> None:
    made = render_vmi(vm(template={"metadata": {"labels": {"a": "b"}}, "spec": SPEC}))
    assert (made.metadata.name, made.metadata.namespace) == ("v", "ns")
    assert made.metadata.labels == {"a": "b"}
    assert made.metadata.annotations == {"kubevirt.io/vm-generation": "3"}
    (owner,) = there(made.metadata.owner_references)
    assert (owner.kind, owner.uid, owner.controller, owner.block_owner_deletion) == (
        "VirtualMachine",
        "vm-1",
        True,
        True,
    )
    assert made.status.virtual_machine_revision_name == "revision-start-vm-vm-1-3"


def test_the_firmware_uuid_is_the_same_at_every_start() -> None:
    assert (
        there(render_vmi(vm()).spec.domain.firmware).uuid == there(render_vmi(vm()).spec.domain.firmware).uuid
    )
    given = {**SPEC, "domain": {**SPEC["domain"], "firmware": {"uuid": "u-1"}}}
    assert there(render_vmi(vm(template={"spec": given})).spec.domain.firmware).uuid == "u-1"


def test_a_start_that_was_asked_for_paused_is_paused() -> None:
    assert render_vmi(vm(), paused=True).spec.start_strategy == "Paused"
    assert render_vmi(vm()).spec.start_strategy is None


def test_an_input_device_is_attached_when_wanted_and_missing() -> None:
    devices = {"autoattachInputDevice": True}
    made = render_vmi(vm(template={"spec": {"domain": {"devices": devices}}}))
    assert [found.name for found in there(made.spec.domain.devices.inputs)] == ["default-0"]
    given = {**devices, "inputs": [{"name": "mine", "type": "tablet"}]}
    made = render_vmi(vm(template={"spec": {"domain": {"devices": given}}}))
    assert [found.name for found in there(made.spec.domain.devices.inputs)] == ["mine"]


def test_a_revision_keeps_the_spec_and_its_facts_only_a_fingerprint() -> None:
    made = render_revision(vm())
    assert there(made.data)["spec"]["template"]["spec"] == SPEC
    facts = revision_facts(made)
    assert kept_fingerprint(facts) == fingerprint(vm("Manual"))
    assert "spec" not in there(facts.data)
