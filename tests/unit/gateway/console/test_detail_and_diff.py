"""A machine in full, and what a change changes."""

from tests.unit.gateway.console.machines import a_vm, a_vmi
from tests.unit.gateway.small_cluster import condition, event, node, vm

from virtdeck.crds.codec import decode
from virtdeck.crds.core.event import Event
from virtdeck.crds.core.node import Node
from virtdeck.crds.meta import Condition
from virtdeck.gateway.console.views.detail import conditions_of, disks_of, nics_of
from virtdeck.gateway.console.views.diff import editable, effect, field_changes, to_yaml, unified
from virtdeck.gateway.console.views.events import events_of
from virtdeck.gateway.console.views.nodes import node_view


def test_disks_say_what_loses_their_content() -> None:
    disks = {disk.name: disk for disk in disks_of(a_vm(), a_vmi())}
    assert disks["rootdisk"].lost_on == "stop"
    assert (disks["scratch"].size, disks["scratch"].lost_on) == ("4 GiB", "stop")
    assert disks["cloudinit"].lost_on == "delete"


def test_an_interface_has_the_addresses_it_has_now() -> None:
    assert nics_of(a_vm(), a_vmi())[0].addresses == ("10.42.0.5", "fd00:42::5")
    assert nics_of(a_vm(), None)[0].addresses == ()


def test_bad_news_come_first_and_each_condition_once() -> None:
    both = tuple(decode(one, Condition) for one in (condition("Ready"), condition("LiveMigratable", "False")))
    views = conditions_of(both, (*both, decode(condition("Synchronized", "False", "broken"), Condition)))
    assert [(view.type, view.kind) for view in views] == [
        ("Synchronized", "bad"),
        ("Ready", "good"),
        ("LiveMigratable", "idle"),
    ]


def test_the_newest_event_is_first_whichever_field_has_its_time() -> None:
    machine = vm("web")
    old, new = event(machine, "Old", "", ago=100), event(machine, "New", "", ago=1)
    new["eventTime"], new["lastTimestamp"] = new["lastTimestamp"], None
    views = events_of(decode(one, Event) for one in (old, new))
    assert [view.reason for view in views] == ["New", "Old"]
    assert views[0].url == "/ns/default/vms/web"


def test_a_node_says_that_kvm_does_not_work_and_why() -> None:
    view = node_view(decode(node(kvm=False), Node), [])
    assert view.hardware is False
    assert "MSR" in view.why_not
    assert node_view(decode(node(kvm=True), Node), []).hardware is None


def test_only_fields_that_differ_are_changes() -> None:
    before, after = vm("web"), vm("web")
    after["metadata"]["resourceVersion"] = "9"
    after["spec"]["template"]["spec"]["domain"]["cpu"]["cores"] = 4
    after["spec"]["template"]["spec"]["volumes"][0]["containerDisk"]["image"] = "other"
    changes = {change.path: (change.before, change.after) for change in field_changes(before, after)}
    assert changes == {
        "spec.template.spec.domain.cpu.cores": ("2", "4"),
        "spec.template.spec.volumes[rootdisk].containerDisk.image": ("virtdeck/demo:latest", "other"),
    }
    assert effect(field_changes(before, after)) == "restart"


def test_a_field_that_came_or_went_is_told_apart_from_an_empty_one() -> None:
    changes = field_changes({"spec": {"a": ""}}, {"spec": {"b": {}}})
    assert [(change.path, change.before, change.after) for change in changes] == [
        ("spec.a", "", None),
        ("spec.b", None, "{}"),
    ]
    assert effect(changes) == "live"
    assert effect(()) == ""


def test_what_the_server_writes_itself_is_not_edited_but_the_version_guards() -> None:
    text = to_yaml(
        editable(
            {
                "kind": "X",
                "metadata": {"name": "a", "uid": "u", "managedFields": [], "resourceVersion": "7"},
                "status": {"x": 1},
            }
        )
    )
    assert text == "kind: X\nmetadata:\n  name: a\n  resourceVersion: '7'\n"


def test_texts_of_several_lines_stay_readable() -> None:
    assert to_yaml({"userData": "#cloud-config\nuser: a\n"}) == "userData: |\n  #cloud-config\n  user: a\n"


def test_the_difference_as_text_has_signs() -> None:
    assert [line[:1] for line in unified("a\nb\n", "a\nc\n")] == ["@", " ", "-", "+"]
