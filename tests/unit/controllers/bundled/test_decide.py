"""The bundle is there while the installation wants it, and only then."""

from typing import Any

import pytest
from msgspec.structs import replace

from virtdeck.controllers.bundled.decide import Remove, Seen, Write, decide, is_wanted
from virtdeck.crds.codec import decode
from virtdeck.crds.kinds import CLUSTER_INSTANCETYPE, CLUSTER_PREFERENCE
from virtdeck.crds.kubevirt.kubevirt import KubeVirt
from virtdeck.instancetype.bundled import bundled_objects

BUNDLE = list(bundled_objects())
WHOLE: dict[Any, Any] = {(kind, obj["metadata"]["name"]): decode(obj, kind.type) for kind, obj in BUNDLE}
SMALL = (CLUSTER_INSTANCETYPE, "u1.small")


def installation(enabled: bool | None = None, **meta: Any) -> KubeVirt:
    deployment = {} if enabled is None else {"commonInstancetypesDeployment": {"enabled": enabled}}
    return decode({"metadata": meta, "spec": {"configuration": deployment}}, KubeVirt)


def relabelled(obj: Any, **labels: str) -> Any:
    return replace(obj, metadata=replace(obj.metadata, labels={**obj.metadata.labels, **labels}))


def test_a_new_installation_gets_everything() -> None:
    plan = decide(Seen(installation(), {}))
    assert [(action.kind, action.obj) for action in plan.actions if isinstance(action, Write)] == BUNDLE


def test_what_is_as_it_should_be_is_left_alone() -> None:
    theirs = WHOLE | {SMALL: relabelled(WHOLE[SMALL], team="blue")}
    assert decide(Seen(installation(), theirs)).actions == ()


def test_what_was_changed_is_put_right() -> None:
    spec = replace(WHOLE[SMALL].spec, memory=replace(WHOLE[SMALL].spec.memory, guest="3Gi"))
    (action,) = decide(Seen(installation(), WHOLE | {SMALL: replace(WHOLE[SMALL], spec=spec)})).actions
    assert isinstance(action, Write)
    assert action.obj["metadata"]["name"] == "u1.small"


def test_what_an_older_bundle_had_goes() -> None:
    old = {(CLUSTER_PREFERENCE, "windows.xp"): WHOLE[CLUSTER_PREFERENCE, "windows.10"]}
    assert decide(Seen(installation(), WHOLE | old)).actions == (Remove(CLUSTER_PREFERENCE, "windows.xp"),)


@pytest.mark.parametrize(
    "gone", [None, installation(enabled=False), installation(deletionTimestamp="2026-01-01T00:00:00Z")]
)
def test_without_the_installations_wish_all_of_it_goes(gone: KubeVirt | None) -> None:
    plan = decide(Seen(gone, WHOLE))
    assert {(action.kind, action.name) for action in plan.actions if isinstance(action, Remove)} == set(WHOLE)


def test_what_others_made_is_never_touched() -> None:
    theirs = relabelled(WHOLE[SMALL], **{"instancetype.kubevirt.io/vendor": "example.com"})
    spec = replace(theirs.spec, memory=replace(theirs.spec.memory, guest="3Gi"))
    seen = WHOLE | {SMALL: replace(theirs, spec=spec)}
    assert decide(Seen(installation(), seen)).actions == ()
    assert SMALL not in [
        (action.kind, action.name)
        for action in decide(Seen(None, seen)).actions
        if isinstance(action, Remove)
    ]


def test_the_bundle_comes_unless_it_is_switched_off() -> None:
    assert is_wanted(installation())
    assert is_wanted(installation(enabled=True))
    assert not is_wanted(installation(enabled=False))
