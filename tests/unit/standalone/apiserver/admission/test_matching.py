"""Which writes webhooks are about."""

from dataclasses import replace
from typing import Any

import pytest

from virtdeck.standalone.apiserver.admission.matching import Criteria, Subject, concerned, parse_criteria
from virtdeck.standalone.apiserver.resources.resource import Resource

THINGS = Resource("g", "v1", "things", "Thing")
OLDER = Resource("g", "v1beta1", "things", "Thing")
SUBJECT = Subject(THINGS, "t", "", "CREATE", {"team": "a"}, ({"app": "x"},))


def criteria(rule: Any = None, **more: Any) -> Criteria:
    full = {
        "apiGroups": ["g"],
        "apiVersions": ["v1"],
        "operations": ["CREATE"],
        "resources": ["things"],
        **(rule or {}),
    }
    return parse_criteria({"rules": [full], **more}, "rules")


@pytest.mark.parametrize(
    ("rule", "is_about"),
    [
        ({}, True),
        ({"operations": ["*"]}, True),
        ({"operations": ["DELETE"]}, False),
        ({"apiGroups": ["*"]}, True),
        ({"apiVersions": ["v2"]}, False),
        ({"resources": ["*"]}, True),
        ({"resources": ["*/*"]}, True),
        ({"resources": ["things/status"]}, False),
        ({"scope": "Namespaced"}, True),
        ({"scope": "Cluster"}, False),
        ({"resourceNames": ["t"]}, True),
        ({"resourceNames": ["u"]}, False),
    ],
)
def test_rule(rule: Any, is_about: bool) -> None:
    assert concerned(criteria(rule), SUBJECT) is (THINGS if is_about else None)


def test_subresources_are_named_apart() -> None:
    status = replace(SUBJECT, subresource="status")
    assert not concerned(criteria(), status)
    assert concerned(criteria({"resources": ["things/status"]}), status)
    assert concerned(criteria({"resources": ["things/*"]}), status)


def test_selectors_of_namespace_and_object() -> None:
    assert not concerned(criteria(namespaceSelector={"matchLabels": {"team": "b"}}), SUBJECT)
    assert concerned(
        criteria(namespaceSelector={"matchLabels": {"team": "b"}}), replace(SUBJECT, namespace_labels=None)
    )
    assert not concerned(criteria(objectSelector={"matchLabels": {"app": "y"}}), SUBJECT)
    old_matches = replace(SUBJECT, labels=({}, {"app": "y"}))
    assert concerned(criteria(objectSelector={"matchLabels": {"app": "y"}}), old_matches)


def test_same_kind_in_another_version_counts_unless_the_match_is_exact() -> None:
    subject = replace(SUBJECT, resource=OLDER, others=(THINGS,))
    assert concerned(criteria(), subject) is THINGS
    assert concerned(criteria(matchPolicy="Exact"), subject) is None
    assert concerned(criteria({"apiVersions": ["*"]}), subject) is OLDER


def test_excluded_rules_outweigh_the_others() -> None:
    but = {"apiGroups": ["*"], "apiVersions": ["*"], "operations": ["CREATE"], "resources": ["things"]}
    assert concerned(criteria(excludeResourceRules=[but]), SUBJECT) is None
    assert concerned(criteria(excludeResourceRules=[{**but, "operations": ["DELETE"]}]), SUBJECT) is THINGS
