"""What a replica set does about its VMIs, and what it says of them."""

from itertools import islice
from typing import Any

import pytest
from tests.unit.controllers.builders import at, kinds_of, reasons_of
from tests.unit.controllers.replica_set.sets import guest, replica_set, seen
from tests.unit.there import there

from virtdeck.basis.errors import Refused, Unready
from virtdeck.controllers.replica_set.decide import decide, decide_failure
from virtdeck.controllers.replica_set.observed import AdoptVmi, CreateVmi, DeleteVmi, ReleaseVmi, Seen
from virtdeck.controllers.replica_set.render import candidate_names, render_vmi
from virtdeck.crds.kubevirt.replica_set import VirtualMachineInstanceReplicaSet
from virtdeck.kube.conditions import find_condition


def made(of: Seen) -> list[str]:
    return [action.name for action in decide(of).actions if isinstance(action, CreateVmi)]


def deleted(of: Seen) -> list[str]:
    return [action.vmi.metadata.name for action in decide(of).actions if isinstance(action, DeleteVmi)]


def shown(of: Seen) -> VirtualMachineInstanceReplicaSet:
    return there(decide(of).wanted)


# ---- scaling


def test_a_new_set_makes_its_vmis_at_once() -> None:
    of = seen(replica_set())
    assert made(of) == ["web-new0", "web-new1"]
    assert (reasons_of(decide(of)), decide(of).events[0].message) == (
        ["SuccessfulCreate"],
        "Created web-new0, web-new1",
    )


def test_replicas_are_one_when_the_spec_says_nothing_and_none_when_it_says_so() -> None:
    assert made(seen(replica_set(spec={"replicas": None}))) == ["web-new0"]
    assert decide(seen(replica_set(spec={"replicas": 0}))).actions == ()


def test_who_does_not_serve_goes_first() -> None:
    of = seen(replica_set(spec={"replicas": 1}), guest("a"), guest("b", "starting"), guest("c"))
    assert deleted(of) == ["b", "a"]
    assert reasons_of(decide(of)) == ["SuccessfulDelete"]


def test_a_set_as_it_should_be_does_nothing() -> None:
    of = seen(replica_set(), guest("a"), guest("b"))
    assert decide(of).actions == ()
    assert (shown(of).status.replicas, shown(of).status.ready_replicas) == (2, 2)
    assert shown(of).status.label_selector == "app=web"


def test_a_vmi_on_its_way_out_is_replaced_at_once_and_not_counted() -> None:
    of = seen(replica_set(), guest("a"), guest("b", "gone"))
    assert (made(of), deleted(of)) == (["web-new0"], [])
    assert shown(of).status.replicas == 1


@pytest.mark.parametrize("state", ["ended", "failed", "unknown"])
def test_a_guest_that_ended_or_is_out_of_sight_is_deleted_and_replaced(state: str) -> None:
    of = seen(replica_set(), guest("a"), guest("b", state))
    assert (made(of), deleted(of)) == (["web-new0"], ["b"])


def test_a_guest_that_ended_as_soon_as_it_was_made_keeps_its_place_for_a_moment() -> None:
    of = seen(replica_set(), guest("a"), guest("b", "failed", born=-5, ended=-4))
    assert decide(of).actions == ()
    assert decide(of).again_after == pytest.approx(6.0)
    later = seen(replica_set(), guest("a"), guest("b", "failed", born=-20, ended=-15))
    assert (made(later), deleted(later)) == (["web-new0"], ["b"])


def test_many_are_made_in_bursts() -> None:
    of = seen(replica_set(spec={"replicas": 500}), free=tuple(f"n{number}" for number in range(500)))
    assert len(made(of)) == 100


# ---- whose they are


def test_who_matches_and_is_nobodys_is_adopted_before_anything_is_made() -> None:
    of = seen(replica_set(), loose=(guest("stray"),))
    assert kinds_of(decide(of)) == ["AdoptVmi"]


def test_who_matches_no_more_is_released() -> None:
    of = seen(replica_set(), guest("a"), strays=(guest("b"),))
    (action,) = decide(of).actions
    assert isinstance(action, ReleaseVmi)


# ---- rest and end


def test_a_paused_set_neither_makes_nor_deletes_and_says_so_once() -> None:
    of = seen(replica_set(spec={"paused": True}), guest("a", "failed"), loose=(guest("b"),))
    assert kinds_of(decide(of)) == ["AdoptVmi"]
    assert reasons_of(decide(of)) == ["SuccessfulPaused"]
    said = there(find_condition(shown(of).status.conditions, "ReplicaPaused"))
    assert (said.status, said.reason) == ("True", "Paused")
    known = {"conditions": [{"type": "ReplicaPaused", "status": "True", "lastTransitionTime": at(-9)}]}
    again = seen(replica_set(spec={"paused": True}, status=known))
    assert decide(again).events == ()
    assert there(find_condition(shown(again).status.conditions, "ReplicaPaused")).last_transition_time == at(
        -9
    )
    resumed = seen(replica_set(status=known))
    assert reasons_of(decide(resumed)) == ["SuccessfulResumed", "SuccessfulCreate"]
    assert find_condition(shown(resumed).status.conditions, "ReplicaPaused") is None


def test_a_deleted_set_makes_and_adopts_nobody() -> None:
    of = seen(replica_set(metadata={"deletionTimestamp": at(0)}), loose=(guest("a"),))
    assert decide(of).actions == ()


# ---- what goes wrong


def test_a_refused_vmi_is_told_in_condition_and_event_once() -> None:
    of = seen(replica_set())
    action = CreateVmi(of.replica_set, "web-new0")
    plan = decide_failure(of, action, Refused("quota exceeded"))
    said = there(find_condition(there(plan.wanted).status.conditions, "ReplicaFailure"))
    assert (said.reason, reasons_of(plan)) == ("FailedCreate", ["FailedCreate"])
    assert "web-new0" in there(said.message)
    again = seen(there(plan.wanted))
    assert decide_failure(again, action, Refused("quota exceeded")).events == ()
    assert find_condition(shown(again).status.conditions, "ReplicaFailure") is None


@pytest.mark.parametrize(("action", "reason"), [(DeleteVmi, "FailedDelete"), (AdoptVmi, "FailedUpdate")])
def test_each_deed_has_its_reason(action: Any, reason: str) -> None:
    of = seen(replica_set())
    done = action(guest("a")) if action is DeleteVmi else action(of.replica_set, guest("a"))
    assert reasons_of(decide_failure(of, done, Refused("no"))) == [reason]


def test_a_fault_that_passes_is_not_told() -> None:
    of = seen(replica_set())
    assert (
        decide_failure(
            of, CreateVmi(of.replica_set, "a"), Unready("away", reason="ApiServerUnreachable")
        ).events
        == ()
    )


# ---- what is made


def test_names_are_the_same_until_the_set_is_written_again() -> None:
    def first(of: VirtualMachineInstanceReplicaSet) -> list[str]:
        return list(islice(candidate_names(of), 3))

    of = replica_set()
    assert first(of) == first(of)
    assert len(set(first(of))) == 3
    assert first(of) != first(replica_set(metadata={"resourceVersion": "6"}))
    assert all(name.startswith("web-") for name in first(of))
    assert first(replica_set(template={"generateName": "guest-"}))[0].startswith("guest-")
    assert len(first(replica_set(metadata={"name": "a" * 200}))[0]) == 63


def test_a_vmi_is_the_template_owned_by_the_set() -> None:
    vmi = render_vmi(replica_set(template={"annotations": {"a": "b"}}), "web-1")
    assert (vmi.metadata.name, vmi.metadata.labels, vmi.metadata.annotations) == (
        "web-1",
        {"app": "web"},
        {"a": "b"},
    )
    (owner,) = there(vmi.metadata.owner_references)
    assert (owner.uid, owner.controller, owner.block_owner_deletion) == ("set-1", True, True)
