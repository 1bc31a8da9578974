"""Least rights, whatever the golden files say."""

from collections.abc import Iterator
from typing import Any

import pytest

from virtdeck import install
from virtdeck.crds.subresources import GROUP, SUBRESOURCES

Rule = dict[str, Any]


def _roles() -> dict[str, list[Rule]]:
    roles = [*install.cluster_roles(("node-a",)), *install.component_roles()]
    return {f"{role['kind']} {role['metadata']['name']}": role["rules"] for role in roles}


def _rules() -> Iterator[tuple[str, Rule]]:
    for name, rules in _roles().items():
        for rule in rules:
            yield name, rule


def _may(rules: list[Rule], group: str, resource: str, verb: str) -> bool:
    return any(
        group in rule["apiGroups"] and resource in rule["resources"] and verb in rule["verbs"]
        for rule in rules
    )


def test_no_rule_has_a_wildcard() -> None:
    assert [name for name, rule in _rules() if any("*" in values for values in rule.values())] == []


def test_nobody_reads_secrets_of_other_namespaces() -> None:
    everywhere = [role for role in install.cluster_roles() if role["kind"] == "ClusterRole"]
    for role in everywhere:
        assert not any("secrets" in rule["resources"] for rule in role["rules"]), role["metadata"]["name"]


@pytest.mark.parametrize("component", ["kubevirt-controller", "kubevirt-handler"])
def test_only_virt_api_acts_for_others(component: str) -> None:
    assert not any("impersonate" in rule["verbs"] for rule in _roles()[f"ClusterRole {component}"])


def test_virt_handler_changes_only_its_own_node_and_makes_nothing() -> None:
    rules = _roles()["ClusterRole kubevirt-handler"]
    patched = [rule for rule in rules if "nodes" in rule["resources"] and "patch" in rule["verbs"]]
    assert [rule["resourceNames"] for rule in patched] == [["node-a"]]
    for resource in ("pods", "nodes", "virtualmachineinstances"):
        for verb in ("create", "delete", "update"):
            assert not any(_may(rules, group, resource, verb) for group in ("", "kubevirt.io"))
    assert not _may(rules, "", "pods/exec", "create")


def test_no_component_writes_roles_or_webhooks() -> None:
    forbidden = {"rbac.authorization.k8s.io", "admissionregistration.k8s.io", "apiextensions.k8s.io"}
    assert [name for name, rule in _rules() if forbidden & set(rule["apiGroups"])] == []


def test_every_subresource_is_in_a_role_of_users() -> None:
    roles = _roles()
    for sub in SUBRESOURCES:
        roles_of = {"view": ("view", "edit", "admin"), "edit": ("edit", "admin"), "migrate": ("migrate",)}
        for name in roles_of.get(sub.audience, ()):
            assert _may(roles[f"ClusterRole kubevirt.io:{name}"], GROUP, sub.rbac_resource, sub.verb), sub


def test_those_who_may_only_look_get_no_console_and_change_nothing() -> None:
    rules = _roles()["ClusterRole kubevirt.io:view"]
    changing = [rule for rule in rules if not set(rule["verbs"]) <= {"get", "list", "watch"}]
    # It is sent a machine and answers with another; nothing is kept.
    assert changing == [{"apiGroups": [GROUP], "resources": ["expand-vm-spec"], "verbs": ["update"]}]
    for sub in ("console", "vnc", "vnc/screenshot", "portforward"):
        assert not _may(rules, GROUP, f"virtualmachineinstances/{sub}", "get")


def test_user_roles_join_those_of_kubernetes_unless_told_not_to() -> None:
    labels = {role["metadata"]["name"]: role["metadata"]["labels"] for role in install.user_cluster_roles()}
    assert labels["kubevirt.io:edit"]["rbac.authorization.k8s.io/aggregate-to-edit"] == "true"
    for role in install.user_cluster_roles(aggregate=False):
        assert not any(label.startswith("rbac.") for label in role["metadata"]["labels"])


def test_every_binding_names_a_role_that_exists() -> None:
    roles = {(r["kind"], r["metadata"].get("namespace"), r["metadata"]["name"]) for r in
             [*install.cluster_roles(), *install.component_roles(), *install.node_roles()]}  # fmt: skip
    for binding in install.role_bindings():
        namespace = binding["metadata"].get("namespace")
        assert (binding["roleRef"]["kind"], namespace, binding["roleRef"]["name"]) in roles
