"""What the create form offers."""

from typing import Any

from virtdeck.crds.codec import decode
from virtdeck.crds.kinds import CLUSTER_INSTANCETYPE, CLUSTER_PREFERENCE
from virtdeck.gateway.console.views.offers import instancetype_options, preference_options
from virtdeck.instancetype.bundled import bundled_objects

SIZES: list[Any] = [decode(obj, kind.type) for kind, obj in bundled_objects() if kind is CLUSTER_INSTANCETYPE]
TASTES: list[Any] = [decode(obj, kind.type) for kind, obj in bundled_objects() if kind is CLUSTER_PREFERENCE]


def test_sizes_grow_and_say_what_they_are() -> None:
    shown = instancetype_options(SIZES, "")
    names = [name for name, _ in shown if name.startswith("u1.")]
    assert names[:3] == ["u1.nano", "u1.micro", "u1.small"]
    assert dict(shown)["u1.small"] == "u1.small · 1 CPU · 2 GiB"


def test_what_this_release_cannot_run_is_not_offered_unless_it_is_chosen() -> None:
    assert not any(name.startswith(("d1.", "cx1.", "rt1.")) for name, _ in instancetype_options(SIZES, ""))
    assert "cx1.large" in dict(instancetype_options(SIZES, "cx1.large"))


def test_guest_systems_stand_by_their_titles() -> None:
    titles = [title for _, title in preference_options(TASTES, "")]
    assert titles == sorted(titles)
    assert "Debian 12 (bookworm)" in titles
    assert "Microsoft Windows 11" in titles


def test_one_of_a_project_says_of_which() -> None:
    meta = {"name": "tiny", "namespace": "shop"}
    own = decode(
        {"metadata": meta, "spec": {"cpu": {"guest": 1}, "memory": {"guest": "64Mi"}}},
        CLUSTER_INSTANCETYPE.type,
    )
    assert instancetype_options([own], "") == [("shop/tiny", "tiny (shop) · 1 CPU · 64 MiB")]
