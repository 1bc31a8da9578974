"""Which webhooks a write concerns."""

from dataclasses import replace
from typing import Any

import pytest

from virtdeck.standalone.apiserver.admission.webhook_rules import Subject, Webhook, concerns, parse_webhooks

SUBJECT = Subject("g", "v1", "things", "", "CREATE", True, {"team": "a"}, ({"app": "x"},))


def webhook(rule: Any = None, **more: Any) -> Webhook:
    full = {
        "apiGroups": ["g"],
        "apiVersions": ["v1"],
        "operations": ["CREATE"],
        "resources": ["things"],
        **(rule or {}),
    }
    given = {"name": "w", "clientConfig": {}, "rules": [full], **more}
    return parse_webhooks({"metadata": {"name": "c"}, "webhooks": [given]})[0]


@pytest.mark.parametrize(
    ("rule", "concerned"),
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
    ],
)
def test_rule(rule: Any, concerned: bool) -> None:
    assert concerns(webhook(rule), SUBJECT) is concerned


def test_subresources_are_named_apart() -> None:
    status = replace(SUBJECT, subresource="status")
    assert not concerns(webhook(), status)
    assert concerns(webhook({"resources": ["things/status"]}), status)
    assert concerns(webhook({"resources": ["things/*"]}), status)


def test_selectors_of_namespace_and_object() -> None:
    assert not concerns(webhook(namespaceSelector={"matchLabels": {"team": "b"}}), SUBJECT)
    assert concerns(
        webhook(namespaceSelector={"matchLabels": {"team": "b"}}), replace(SUBJECT, namespace_labels=None)
    )
    assert not concerns(webhook(objectSelector={"matchLabels": {"app": "y"}}), SUBJECT)
    old_matches = replace(SUBJECT, labels=({}, {"app": "y"}))
    assert concerns(webhook(objectSelector={"matchLabels": {"app": "y"}}), old_matches)
