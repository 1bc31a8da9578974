"""The instance types and preferences that come along are ones that users can rely on."""

import re
from typing import Any

import pytest

from virtdeck.crds.codec import decode, to_dict
from virtdeck.crds.kinds import CLUSTER_INSTANCETYPE, CLUSTER_PREFERENCE, Kind
from virtdeck.crds.quantity import parse_bytes
from virtdeck.gateway.admission import ClusterConfig
from virtdeck.gateway.admission.kinds.instancetype import validate_instancetype
from virtdeck.gateway.admission.kinds.preference import validate_preference
from virtdeck.gateway.auth.user import User
from virtdeck.instancetype.bundled import VENDOR, VENDOR_LABEL, bundled_objects
from virtdeck.instancetype.bundled.sizes import SERIES
from virtdeck.instancetype.bundled.sizes import sizes as all_sizes
from virtdeck.instancetype.expansion import Chosen, expand
from virtdeck.instancetype.requirements import unmet_memory, unmet_processors

BUNDLE = list(bundled_objects())
NAMES = {kind: {obj["metadata"]["name"] for other, obj in BUNDLE if other is kind} for kind, _ in BUNDLE}
EACH = pytest.mark.parametrize(("kind", "obj"), BUNDLE, ids=[obj["metadata"]["name"] for _, obj in BUNDLE])
_LABEL = re.compile(r"([A-Za-z0-9][-A-Za-z0-9_.]*)?")


@EACH
def test_each_is_whole_and_let_in_without_a_warning(kind: Kind[Any], obj: dict[str, Any]) -> None:
    assert to_dict(decode(obj, kind.type)) == obj, "every field is one that the type knows"
    validate = validate_instancetype if kind is CLUSTER_INSTANCETYPE else validate_preference
    verdict = validate(obj, None, User("a"), ClusterConfig())
    assert (verdict.causes, verdict.warnings) == ((), ())


@EACH
def test_each_says_whose_it_is_and_what_it_is_for(kind: Kind[Any], obj: dict[str, Any]) -> None:
    meta = obj["metadata"]
    assert meta["labels"][VENDOR_LABEL] == VENDOR
    assert all(_LABEL.fullmatch(value) and len(value) < 64 for value in meta["labels"].values())
    for word in ("displayName", "description"):
        assert meta["annotations"][f"instancetype.kubevirt.io/{word}"]


def test_kubevirts_series_and_the_usual_systems_are_there() -> None:
    assert {name.split(".")[0] for name in NAMES[CLUSTER_INSTANCETYPE]} == {
        "u1",
        "o1",
        "d1",
        "cx1",
        "m1",
        "n1",
        "rt1",
    }
    assert {
        "u1.nano",
        "u1.8xlarge",
        "d1.small",
        "cx1.medium",
        "m1.large",
        "m1.large1gi",
        "n1.medium",
    } <= NAMES[CLUSTER_INSTANCETYPE]
    assert {"alpine", "cirros", "debian.13", "ubuntu.24.04", "fedora"} <= NAMES[CLUSTER_PREFERENCE]
    assert {"rhel.10", "centos.stream10", "sles", "freebsd"} <= NAMES[CLUSTER_PREFERENCE]
    assert {"windows.11", "windows.2k25", "windows.2k25.virtio"} <= NAMES[CLUSTER_PREFERENCE]
    assert len(BUNDLE) == sum(len(names) for names in NAMES.values()), "no name stands twice"


def test_what_one_selects_sizes_by_is_a_label() -> None:
    labels = {obj["metadata"]["name"]: obj["metadata"]["labels"] for _, obj in BUNDLE}
    assert labels["m1.large1gi"]["instancetype.kubevirt.io/hugepages"] == "1Gi"
    assert labels["d1.small"]["instancetype.kubevirt.io/dedicatedCPUPlacement"] == "true"
    assert "instancetype.kubevirt.io/dedicatedCPUPlacement" not in labels["u1.small"]


def test_a_series_grows_from_line_to_line() -> None:
    for series in SERIES:
        sizes = [(size.processors, parse_bytes(size.amount)) for size in all_sizes() if size.series is series]
        assert sizes == sorted(sizes)
        assert len(set(sizes)) == len(sizes)


def test_every_system_runs_on_u1_medium_or_large() -> None:
    typed = {obj["metadata"]["name"]: decode(obj, kind.type).spec for kind, obj in BUNDLE}
    for name in NAMES[CLUSTER_PREFERENCE]:
        chosen = Chosen(typed["u1.large"], typed[name], "u1.large")
        template = expand({"spec": {"domain": {"devices": {}}}}, chosen, "masquerade")
        assert [*unmet_processors(template, chosen), *unmet_memory(template, chosen)] == []
