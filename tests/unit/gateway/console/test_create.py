"""The form and its manifest."""

import pytest
import yaml
from tests.unit.gateway.small_cluster import vm

from virtdeck.basis.errors import Cause, Invalid
from virtdeck.crds.codec import decode
from virtdeck.crds.kubevirt.vm import VirtualMachine
from virtdeck.gateway.console.views.create import (
    MOST_YAML,
    CreateForm,
    check,
    form_of,
    lines_of,
    manifest,
    parse_manifest,
    place_causes,
)
from virtdeck.gateway.console.views.diff import to_yaml

FULL = CreateForm(
    name="web",
    namespace="shop",
    image="virtdeck/demo:latest",
    cpu="2",
    memory="1Gi",
    user="ada",
    password="p:\"'#x",
    ssh_key="ssh-ed25519 AAAA ada@home\nssh-rsa BBBB",
)


def test_the_form_makes_a_machine_that_the_api_reads() -> None:
    machine = decode(manifest(FULL), VirtualMachine)
    guest = machine.spec.template.spec
    assert guest is not None
    assert machine.spec.run_strategy == "RerunOnFailure"
    assert guest.domain.cpu is not None
    assert guest.domain.cpu.cores == 2
    assert [volume.name for volume in guest.volumes or ()] == ["rootdisk", "cloudinit"]
    assert [disk.name for disk in guest.domain.devices.disks or ()] == ["rootdisk", "cloudinit"]


def test_what_is_typed_reaches_cloud_init_whole() -> None:
    text = manifest(FULL)["spec"]["template"]["spec"]["volumes"][1]["cloudInitNoCloud"]["userData"]
    assert text.startswith("#cloud-config\n")
    config = yaml.safe_load(text)
    assert (config["user"], config["password"]) == ("ada", "p:\"'#x")
    assert config["ssh_authorized_keys"] == ["ssh-ed25519 AAAA ada@home", "ssh-rsa BBBB"]


def test_without_a_login_there_is_no_cloud_init() -> None:
    volumes = manifest(CreateForm(name="a", image="b"))["spec"]["template"]["spec"]["volumes"]
    assert [volume["name"] for volume in volumes] == ["rootdisk"]


def test_a_machine_that_is_not_to_run_is_halted() -> None:
    assert manifest(CreateForm(name="a", image="b", run=""))["spec"]["runStrategy"] == "Halted"


def test_form_to_yaml_to_form_is_the_same_form() -> None:
    text = to_yaml(manifest(FULL))
    again = form_of(parse_manifest(text), text)
    assert {**again.values(), "base": ""} == FULL.values()


def test_what_the_form_does_not_ask_for_is_kept() -> None:
    machine = vm("web", "shop", "Running")
    machine["spec"]["template"]["spec"] |= {"hostname": "kept", "tolerations": [{"key": "a"}]}
    text = to_yaml(machine)
    form = form_of(parse_manifest(text), text)
    after = manifest(CreateForm(**{**form.values(), "cpu": "4"}))
    guest = after["spec"]["template"]["spec"]
    assert (guest["hostname"], guest["tolerations"]) == ("kept", [{"key": "a"}])
    assert guest["domain"]["cpu"] == {"cores": 4}
    assert len(guest["volumes"]) == 3
    assert guest["volumes"][1]["cloudInitNoCloud"]["userData"] == "#cloud-config\nuser: ops\n"


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": "Web"}, "name"),
        ({"name": "-web"}, "name"),
        ({"name": "a" * 254}, "name"),
        ({"image": "two words"}, "image"),
        ({"cpu": "0"}, "cpu"),
        ({"cpu": "1.5"}, "cpu"),
        ({"cpu": "9" * 5000}, "cpu"),
        ({"memory": "1"}, "memory"),
        ({"memory": "much"}, "memory"),
        ({"user": "", "password": "x"}, "user"),
        ({"ssh_key": "PRIVATE KEY"}, "ssh_key"),
        ({"namespace": ""}, "namespace"),
    ],
)
def test_a_wrong_answer_is_told_at_its_field(wrong: dict[str, str], field: str) -> None:
    assert set(check(CreateForm(**{**FULL.values(), **wrong}))) == {field}


def test_a_right_form_has_nothing_wrong() -> None:
    assert check(FULL) == {}


def test_the_servers_complaints_are_placed_at_the_form_or_kept_apart() -> None:
    causes = (
        Cause("spec.template.spec.domain.memory.guest", "too much"),
        Cause("spec.template.spec.volumes[0].containerDisk.image", "not found"),
        Cause("spec.template.spec.domain.firmware", "odd"),
    )
    placed, rest = place_causes(causes)
    assert placed == {"memory": "too much", "image": "not found"}
    assert [cause.field for cause in rest] == ["spec.template.spec.domain.firmware"]


@pytest.mark.parametrize(
    "text",
    ["", "a: [", "- a", "a: 1\n---\nb: 2", "!!python/object/apply:os.system [ls]", "a: " + "x" * MOST_YAML],
)
def test_what_is_not_one_object_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(Invalid):
        parse_manifest(text)


def test_a_date_stays_the_text_that_was_typed() -> None:
    assert parse_manifest("a: 2026-11-30") == {"a": "2026-11-30"}


def test_an_alias_bomb_in_a_seed_answers_nothing() -> None:
    bomb = "user: &a [x, x]\npassword: &b [*a, *a]\n"
    seed = {"name": "seed", "cloudInitNoCloud": {"userData": bomb}}
    vm = {"spec": {"template": {"spec": {"volumes": [seed]}}}}
    assert form_of(vm, "").user == ""


def test_a_syntax_error_names_its_line() -> None:
    with pytest.raises(Invalid) as caught:
        parse_manifest("kind: VirtualMachine\nspec: [")
    assert lines_of("", caught.value.causes)[0][0] >= 2


@pytest.mark.parametrize(
    ("field", "line"),
    [
        ("spec.domain.memory.guest", 4),
        ("spec.volumes[1].name", 7),
        ("spec.domain.cpu", 2),
        ("nothing.here", 0),
        ("line 3", 3),
    ],
)
def test_a_field_is_found_in_the_text(field: str, line: int) -> None:
    text = "spec:\n  domain:\n    memory:\n      guest: 1Gi\n  volumes:\n  - name: a\n  - name: b\n"
    assert lines_of(text, [Cause(field, "wrong")])[0][0] == line


def test_an_instance_type_takes_the_place_of_processors_and_memory() -> None:
    form = CreateForm(name="a", image="b", cpu="", memory="", instancetype="u1.small", preference="debian.12")
    assert check(form) == {}
    machine = decode(manifest(form), VirtualMachine)
    assert machine.spec.instancetype is not None
    assert (machine.spec.instancetype.name, machine.spec.instancetype.kind) == (
        "u1.small",
        "VirtualMachineClusterInstancetype",
    )
    assert machine.spec.preference is not None
    domain = machine.spec.template.spec.domain
    assert (domain.cpu, domain.memory) == (None, None)
    disk = (domain.devices.disks or ())[0].disk
    assert disk is not None
    assert disk.bus is None, "the preference says it"


def test_an_instance_type_of_a_project_is_named_with_its_kind() -> None:
    form = CreateForm(name="a", namespace="shop", image="b", instancetype="shop/tiny")
    assert manifest(form)["spec"]["instancetype"] == {"kind": "VirtualMachineInstancetype", "name": "tiny"}
    assert "instancetype" in check(
        CreateForm(name="a", namespace="other", image="b", instancetype="shop/tiny")
    )


@pytest.mark.parametrize("chosen", ["u1.small", "shop/tiny", ""])
def test_what_was_chosen_survives_yaml_and_back(chosen: str) -> None:
    form = CreateForm(name="a", namespace="shop", image="b", instancetype=chosen, preference=chosen)
    text = to_yaml(manifest(form))
    again = form_of(parse_manifest(text), text)
    assert (again.instancetype, again.preference) == (chosen, chosen)
    assert manifest(again) == manifest(form)


def test_what_is_inferred_from_a_volume_is_kept() -> None:
    machine = vm("web", "shop")
    machine["spec"]["instancetype"] = {"inferFromVolume": "rootdisk"}
    text = to_yaml(machine)
    form = form_of(parse_manifest(text), text)
    assert form.instancetype == ""
    assert manifest(form)["spec"]["instancetype"] == {"inferFromVolume": "rootdisk"}


def test_leaving_an_instance_type_gives_the_machine_its_own_size() -> None:
    text = to_yaml(manifest(CreateForm(name="a", image="b", instancetype="u1.small")))
    form = form_of(parse_manifest(text), text)
    after = manifest(CreateForm(**{**form.values(), "instancetype": "", "cpu": "3", "memory": "1Gi"}))
    assert "instancetype" not in after["spec"]
    assert after["spec"]["template"]["spec"]["domain"]["memory"] == {"guest": "1Gi"}
