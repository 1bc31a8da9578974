"""RBAC rules, one by one."""

from typing import Any

import pytest

from virtdeck.standalone.apiserver.access.identity import User
from virtdeck.standalone.apiserver.access.rbac import Act, parse_rules, refusal


def rule(**given: Any) -> Any:
    named = {"apiGroups": [""], "resources": ["pods"], "verbs": ["get"], **given}
    return parse_rules([named])[0]


@pytest.mark.parametrize(
    ("given", "act", "allowed"),
    [
        ({}, Act("get", "", "pods"), True),
        ({}, Act("list", "", "pods"), False),
        ({}, Act("get", "apps", "pods"), False),
        ({}, Act("get", "", "pods/log"), False),
        ({"resources": ["pods/log"]}, Act("get", "", "pods/log"), True),
        ({"resources": ["pods/*"]}, Act("get", "", "pods/log"), False),
        ({"resources": ["*/log"]}, Act("get", "", "pods/log"), True),
        ({"resources": ["*"]}, Act("get", "", "pods/log"), True),
        ({"apiGroups": ["*"]}, Act("get", "x", "pods"), True),
        ({"verbs": ["*"]}, Act("delete", "", "pods"), True),
        ({"resourceNames": ["a"]}, Act("get", "", "pods", name="a"), True),
        ({"resourceNames": ["a"]}, Act("get", "", "pods", name="b"), False),
        ({"resourceNames": ["a"]}, Act("get", "", "pods"), False),
        ({}, Act("get", path="/metrics"), False),
        ({"nonResourceURLs": ["/metrics"]}, Act("get", path="/metrics"), True),
        ({"nonResourceURLs": ["/healthz/*"]}, Act("get", path="/healthz/x"), True),
        ({"nonResourceURLs": ["/healthz/*"]}, Act("get", path="/metrics"), False),
    ],
)
def test_rule(given: Any, act: Act, allowed: bool) -> None:
    assert rule(**given).allows(act) is allowed


def test_refusal_says_who_what_and_where() -> None:
    act = Act("list", "apps", "things", "n")
    assert refusal(User("bob"), act) == (
        'User "bob" cannot list resource "things" in API group "apps" in the namespace "n"'
    )
    assert refusal(User("bob"), Act("get", path="/x")) == 'User "bob" cannot get path "/x"'
