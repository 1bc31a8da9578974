"""What a pool does about its machines, and what it says of them."""

from typing import Any

import pytest
from tests.unit.controllers.builders import at, kinds_of, reasons_of
from tests.unit.controllers.pool.pools import kept, machine, pool, seen
from tests.unit.there import there

from virtdeck.basis.errors import Refused, Unready
from virtdeck.controllers.pool.decide import decide, decide_failure
from virtdeck.controllers.pool.observed import CreateVm, DeleteVm, RestartGuest, Seen, UpdateVm
from virtdeck.controllers.pool.revision import current_revision
from virtdeck.crds.pool.pool import VirtualMachinePool
from virtdeck.kube.conditions import find_condition


def subjects(of: Seen, kind: type[Any]) -> list[Any]:
    names = {CreateVm: "index", DeleteVm: "vm", UpdateVm: "machine", RestartGuest: "vmi"}
    found = [getattr(action, names[kind]) for action in decide(of).actions if isinstance(action, kind)]
    return [getattr(getattr(each, "metadata", each), "name", each) for each in found]


def shown(of: Seen) -> VirtualMachinePool:
    return there(decide(of).wanted)


def three(of: VirtualMachinePool, **over: Any) -> Seen:
    return seen(of, *(machine(of, index, **over) for index in range(3)))


# ---- scaling


def test_a_new_pool_keeps_its_revision_and_makes_its_machines() -> None:
    of = seen(pool(), revisions=(), free=(0, 1, 2))
    assert kinds_of(decide(of)) == ["KeepRevision", "CreateVm", "CreateVm", "CreateVm"]
    assert subjects(of, CreateVm) == [0, 1, 2]
    assert (reasons_of(decide(of)), decide(of).events[0].message) == (
        ["SuccessfulCreate"],
        "Created web-0, web-1, web-2",
    )


def test_the_lowest_free_indices_are_taken_first() -> None:
    of = pool()
    assert subjects(seen(of, machine(of, 1), free=(0, 3, 4)), CreateVm) == [0, 3]


def test_replicas_are_one_when_the_spec_says_nothing() -> None:
    of = pool(spec={"replicas": None})
    assert subjects(seen(of, free=(0,)), CreateVm) == [0]


def test_a_machine_on_its_way_out_is_replaced_at_once_and_not_counted() -> None:
    of = pool()
    going = machine(of, 0, deleted=True)
    found = seen(of, going, machine(of, 1), machine(of, 2), free=(3,))
    assert subjects(found, CreateVm) == [3]
    assert (shown(found).status.replicas, shown(found).status.ready_replicas) == (2, 2)


@pytest.mark.parametrize(
    ("policy", "gone"),
    [
        ({"sortPolicy": "DescendingOrder"}, ["web-2", "web-1"]),
        ({"sortPolicy": "AscendingOrder"}, ["web-0", "web-1"]),
        ({"sortPolicy": "Oldest"}, ["web-2", "web-0"]),
        ({"sortPolicy": "Newest"}, ["web-1", "web-0"]),
        (
            {
                "sortPolicy": "AscendingOrder",
                "selectors": {"labelSelector": {"matchLabels": {"not": "there"}}},
            },
            ["web-0", "web-1"],
        ),
    ],
)
def test_the_policy_says_which_machines_go(policy: dict[str, Any], gone: list[str]) -> None:
    of = pool(spec={"replicas": 1, "scaleInStrategy": {"proactive": {"selectionPolicy": policy}}})
    births = {0: 20, 1: 30, 2: 10}
    found = seen(of, *(machine(of, index, born=births[index]) for index in range(3)))
    assert subjects(found, DeleteVm) == gone


def test_machines_that_a_selector_wants_go_first() -> None:
    policy = {
        "sortPolicy": "AscendingOrder",
        "selectors": {"nodeSelectorRequirementMatcher": [{"key": "rank", "operator": "Gt", "values": ["5"]}]},
    }
    of = pool(spec={"replicas": 2, "scaleInStrategy": {"proactive": {"selectionPolicy": policy}}})
    chosen = machine(pool(guest={"nodeSelector": {"rank": "7"}}), 2)
    assert subjects(seen(of, machine(of, 0), machine(of, 1), chosen), DeleteVm) == ["web-2"]


def test_chance_chooses_by_the_seed_alone() -> None:
    of = pool(spec={"replicas": 1})
    machines = [machine(of, index) for index in range(3)]
    gone = {tuple(subjects(seen(of, *machines, seed=seed), DeleteVm)) for seed in range(40)}
    assert len(gone) == 6
    assert subjects(seen(of, *machines, seed=1), DeleteVm) == subjects(seen(of, *machines, seed=1), DeleteVm)


@pytest.mark.parametrize("strategy", ["opportunistic", "unmanaged"])
def test_only_a_proactive_pool_deletes(strategy: str) -> None:
    of = pool(spec={"replicas": 1, "scaleInStrategy": {strategy: {}}})
    assert kinds_of(decide(three(of))) == []


def test_a_paused_pool_does_nothing_and_says_so_once() -> None:
    of = pool(spec={"replicas": 9, "paused": True})
    plan = decide(three(of))
    assert (kinds_of(plan), reasons_of(plan)) == ([], ["SuccessfulPaused"])
    again = three(there(plan.wanted))
    assert reasons_of(decide(again)) == []
    assert there(decide(again).wanted) == again.pool
    on = three(
        pool(spec={"replicas": 3}, status={"conditions": [{"type": "ReplicaPaused", "status": "True"}]})
    )
    assert reasons_of(decide(on)) == ["SuccessfulResume"]
    assert shown(on).status.conditions is None


def test_a_deleted_pool_makes_nothing() -> None:
    of = pool(metadata={"deletionTimestamp": at(-1)})
    assert kinds_of(decide(seen(of, machine(of, 0)))) == []


def test_the_status_counts_and_names_the_selector() -> None:
    of = pool()
    found = seen(of, machine(of, 0), machine(of, 1, "starting"), machine(of, 2, None))
    status = shown(found).status
    assert (status.replicas, status.ready_replicas, status.label_selector) == (3, 1, "app=web")


# ---- updates


def changed() -> VirtualMachinePool:
    return pool(memory="128Mi", generation=2)


def old_and_new(*revisions: str, guests: tuple[str, ...] = (), **over: Any) -> Seen:
    """Machines and guests of these revisions below the changed pool."""
    of = over.pop("of", changed())
    machines = [
        machine(of, index, revision=found, guest_revision=guests[index] if guests else found, **over)
        for index, found in enumerate(revisions)
    ]
    return seen(of, *machines, revisions=(kept(pool()), kept(changed(), "web-2")))


def test_scaling_keeps_the_revision() -> None:
    found = seen(pool(generation=9), revisions=(kept(pool()),))
    assert current_revision(found) == "web-1"


def test_a_changed_template_is_written_into_every_machine_first() -> None:
    found = old_and_new("web-1", "web-2", "web-1")
    assert subjects(found, UpdateVm) == ["web-0", "web-2"]
    assert kinds_of(decide(found)) == ["UpdateVm", "UpdateVm"]


def test_then_as_many_guests_are_restarted_as_may_be_missed() -> None:
    for limit, count in ((None, 3), ("50%", 1), (2, 2), ("100%", 3), ("1%", 1)):
        of = pool(memory="128Mi", generation=2, spec={"maxUnavailable": limit} if limit else {})
        found = old_and_new("web-2", "web-2", "web-2", guests=("web-1",) * 3, of=of)
        assert len(subjects(found, RestartGuest)) == count, limit


def test_guests_that_are_missed_already_are_restarted_first_and_cost_nothing() -> None:
    of = pool(memory="128Mi", generation=2, spec={"maxUnavailable": 1})
    sick = machine(of, 1, "starting", revision="web-2", guest_revision="web-1")
    well = [machine(of, index, revision="web-2", guest_revision="web-1") for index in (0, 2)]
    found = seen(of, well[0], sick, well[1], revisions=(kept(changed(), "web-2"),))
    assert subjects(found, RestartGuest) == ["web-1"]


def test_an_opportunistic_pool_writes_machines_and_restarts_none() -> None:
    of = pool(memory="128Mi", generation=2, spec={"updateStrategy": {"opportunistic": {}}})
    assert kinds_of(decide(old_and_new("web-1", "web-1", "web-1", of=of))) == ["UpdateVm"] * 3
    assert kinds_of(decide(old_and_new("web-2", "web-2", "web-2", guests=("web-1",) * 3, of=of))) == []


def test_an_unmanaged_pool_leaves_machines_as_they_are() -> None:
    of = pool(memory="128Mi", generation=2, spec={"updateStrategy": {"unmanaged": {}}})
    assert kinds_of(decide(old_and_new("web-1", "web-1", "web-1", of=of))) == []


def test_a_guest_that_would_not_come_back_is_left_to_its_user() -> None:
    of = pool(memory="128Mi", generation=2, strategy="Manual")
    machines = [machine(of, index, revision="web-2", guest_revision="web-1") for index in range(3)]
    plan = decide(seen(of, *machines, revisions=(kept(of, "web-2"),)))
    assert kinds_of(plan) == []


def test_a_machine_whose_disks_changed_is_made_anew() -> None:
    def disk(size: str) -> dict[str, Any]:
        storage = {"resources": {"requests": {"storage": size}}}
        return {"dataVolumeTemplates": [{"metadata": {"name": "d"}, "spec": {"storage": storage}}]}

    old, new = pool(machine=disk("1Gi")), pool(machine=disk("2Gi"), generation=2, spec={"maxUnavailable": 2})
    machines = [machine(old, index) for index in range(3)]
    found = seen(new, *machines, revisions=(kept(old), kept(new, "web-2")))
    assert subjects(found, DeleteVm) == ["web-0", "web-1"]


def test_revisions_that_nothing_shows_go_last() -> None:
    assert kinds_of(decide(old_and_new("web-2", "web-2", "web-2"))) == ["DropRevision"]
    still = old_and_new("web-2", "web-2", "web-2", guests=("web-2", "web-2", "web-1"))
    assert kinds_of(decide(still)) == ["RestartGuest"]


def test_a_machine_that_left_is_released() -> None:
    of = pool()
    stray = machine(pool(), 3).vm
    plan = decide(seen(of, *(machine(of, index) for index in range(3)), strays=(stray,)))
    assert kinds_of(plan) == ["ReleaseVm"]


# ---- healing


def failing(seconds: float, word: str = "CrashLoopBackOff") -> dict[str, Any]:
    ready = {"type": "Ready", "status": "False", "lastTransitionTime": at(-seconds)}
    return {"printableStatus": word, "conditions": [ready]}


def healing(status: dict[str, Any], **strategy: Any) -> Seen:
    of = pool(spec={"replicas": 1, "autohealing": strategy})
    return seen(of, machine(of, 0, None, status=status))


def test_a_machine_that_fails_too_often_or_too_long_is_made_anew() -> None:
    often = {"startFailure": {"consecutiveFailCount": 3}}
    for status, strategy in (
        (often, {}),
        (failing(301), {}),
        (failing(61, "ErrImagePull"), {"minFailingToStartDuration": "1m"}),
        ({"startFailure": {"consecutiveFailCount": 1}}, {"startUpFailureThreshold": 1}),
    ):
        assert subjects(healing(status, **strategy), DeleteVm) == ["web-0"]


def test_a_machine_with_time_left_is_looked_at_when_it_is_over() -> None:
    plan = decide(healing(failing(100)))
    assert (kinds_of(plan), plan.again_after) == ([], 200.0)


def test_a_machine_that_is_only_off_is_well() -> None:
    plan = decide(healing(failing(9000, "Stopped")))
    assert (kinds_of(plan), plan.again_after) == ([], None)


def test_a_pool_without_the_wish_heals_nothing() -> None:
    of = pool(spec={"replicas": 1})
    assert kinds_of(decide(seen(of, machine(of, 0, None, status=failing(9000))))) == []


# ---- faults


def test_a_refused_machine_is_told_once_in_the_condition_and_an_event() -> None:
    found = seen(pool())
    action = CreateVm(found.pool, 0, "web-1")
    plan = decide_failure(found, action, Refused("exceeded quota"))
    failure = there(find_condition(there(plan.wanted).status.conditions, "ReplicaFailure"))
    assert (failure.reason, failure.message) == ("FailedScaleOut", "Creating web-0 failed: exceeded quota")
    assert reasons_of(plan) == ["FailedScaleOut"]
    again = seen(there(plan.wanted))
    assert reasons_of(decide_failure(again, action, Refused("exceeded quota"))) == []


def test_what_works_again_is_no_failure_any_more() -> None:
    of = pool(status={"conditions": [{"type": "ReplicaFailure", "status": "True"}]})
    assert shown(three(of)).status.conditions is None


def test_an_api_server_that_is_away_is_no_failure_of_the_pool() -> None:
    plan = decide_failure(
        seen(pool()), CreateVm(pool(), 0, "web-1"), Unready("away", reason="ApiServerUnreachable")
    )
    assert (plan.wanted, plan.events) == (None, ())
