"""What the bootstrap writes, and what it leaves alone."""

from typing import Any

import pytest

from virtdeck.standalone.bootstrap.decide import Create, Replace, decide
from virtdeck.standalone.bootstrap.main import is_settled

ROLE: dict[str, Any] = {
    "kind": "ClusterRole",
    "metadata": {"name": "r", "labels": {"kubevirt.io": ""}},
    "rules": [{"apiGroups": [""], "resources": ["pods"], "verbs": ["get"]}],
}
STORED = {
    **ROLE,
    "metadata": {**ROLE["metadata"], "uid": "u", "resourceVersion": "7", "labels": {"kubevirt.io": ""}},
}


def test_missing_object_is_created() -> None:
    assert decide(ROLE, None) == Create(ROLE)


def test_object_with_only_the_servers_additions_is_left_alone() -> None:
    assert decide(ROLE, STORED) is None


@pytest.mark.parametrize(
    "rules",
    [
        [],
        [{"apiGroups": [""], "resources": ["pods"], "verbs": ["get", "delete"]}],
        [*ROLE["rules"], *ROLE["rules"]],
    ],
)
def test_edited_rules_are_put_right(rules: list[dict[str, Any]]) -> None:
    action = decide(ROLE, {**STORED, "rules": rules})
    assert isinstance(action, Replace)
    assert action.obj["rules"] == ROLE["rules"]
    assert action.obj["metadata"]["resourceVersion"] == "7"


def test_labels_of_others_survive_a_repair() -> None:
    found = {**STORED, "rules": [], "metadata": {**STORED["metadata"], "labels": {"team": "a"}}}
    action = decide(ROLE, found)
    assert isinstance(action, Replace)
    assert action.obj["metadata"]["labels"] == {"team": "a", "kubevirt.io": ""}


def test_kubevirt_object_belongs_to_its_users_once_made() -> None:
    wanted = {"kind": "KubeVirt", "metadata": {"name": "kubevirt"}, "spec": {"a": 1}}
    assert decide(wanted, {**wanted, "spec": {"a": 2}}) is None


ROLES = "/apis/rbac.authorization.k8s.io/v1/clusterroles"
WANTED = {**ROLE, "apiVersion": "rbac.authorization.k8s.io/v1"}


@pytest.mark.parametrize(
    ("there", "settled"),
    [
        ({}, False),
        ({"r": {**WANTED, "rules": []}}, False),
        ({"r": {**WANTED, "metadata": STORED["metadata"]}}, True),
    ],
)
def test_only_what_a_list_shows_as_wanted_is_not_looked_at_again(
    there: dict[str, Any], settled: bool
) -> None:
    assert is_settled(WANTED, {ROLES: there}) is settled
