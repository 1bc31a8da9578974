"""Routes, rights, roles and webhooks say the same: what is served can be granted, and the reverse."""

from collections.abc import Iterator
from typing import Any

from virtdeck import install
from virtdeck.crds.kinds import CUSTOM
from virtdeck.crds.permissions import find_permission, permissions
from virtdeck.crds.routes import kind_routes
from virtdeck.crds.subresources import GROUP
from virtdeck.gateway.subresources.routes import ROUTES

Right = tuple[str, str, str]

OUR_GROUPS = {kind.group for kind in CUSTOM} | {GROUP}
USER_ROLES = ("default", "view", "edit", "admin", "migrate", "instancetype.kubevirt.io:view")


def _granted(roles: list[dict[str, Any]]) -> Iterator[tuple[str, Right]]:
    """Each right in our groups that a role gives, with the role's name."""
    for role in roles:
        for rule in role.get("rules", ()):
            for group in OUR_GROUPS.intersection(rule["apiGroups"]):
                for resource in rule["resources"]:
                    for verb in rule["verbs"]:
                        yield role["metadata"]["name"], (group, resource, verb)


def _asked() -> set[Right]:
    """Each right that a route asks for."""
    kinds = {(route.kind.group, route.resource, route.verb) for route in kind_routes()}
    watches = {(group, resource, "watch") for group, resource, verb in kinds if verb == "list"}
    return kinds | watches | {(GROUP, route.name, route.sub.verb) for route in ROUTES}


def test_every_route_asks_for_a_right_that_the_table_has() -> None:
    assert [right for right in _asked() if find_permission(*right) is None] == []


def test_every_right_of_the_table_is_asked_for_by_a_route() -> None:
    """A path without an object's name, as ``version``, is asked for as a list."""
    table = {(entry.group, entry.resource, entry.verb) for entry in permissions()}
    whole = {(GROUP, route.name, "list") for route in ROUTES if not route.namespaced}
    assert table - _asked() == whole


def test_the_users_roles_are_the_table() -> None:
    prefix = "kubevirt.io:"
    granted = {(name.removeprefix(prefix), right) for name, right in _granted(install.user_cluster_roles())}
    assert granted == {
        (role, (entry.group, entry.resource, entry.verb)) for entry in permissions() for role in entry.roles
    }
    assert {role for role, _ in granted} == set(USER_ROLES)


def test_no_role_names_what_is_not_served() -> None:
    """``finalizers`` has no path: it is asked about when an owner reference blocks a deletion."""
    roles = [*install.cluster_roles(), *install.component_roles(), *install.node_roles()]
    unserved = {
        (name, right)
        for name, right in _granted(roles)
        if find_permission(*right) is None and not right[1].endswith("/finalizers")
    }
    assert unserved == set()


def test_a_user_without_the_cluster_lacks_only_what_is_the_components() -> None:
    nobody = {entry.resource for entry in permissions() if not entry.roles}
    reading = {entry.resource for entry in permissions() if entry.roles}
    statuses = {f"{kind.plural}/status" for kind in CUSTOM if "status" in kind.subresources}
    profilers = {f"{verb}-cluster-profiler" for verb in ("start", "stop", "dump")}
    backups = {f"virtualmachineinstances/{name}" for name in ("backup", "redefine-checkpoint")}
    assert nobody - reading == {"plugins", "healthz"} | statuses | profilers | backups


def test_who_edits_may_all_that_who_views_may_and_who_administers_all_that_who_edits_may() -> None:
    for entry in permissions():
        if "view" in entry.roles:
            assert "edit" in entry.roles, entry
        if "edit" in entry.roles:
            assert "admin" in entry.roles, entry


def test_migrations_are_looked_at_by_users_and_started_by_whoever_may_migrate() -> None:
    move = "virtualmachineinstancemigrations"
    entries = {entry.verb: entry.roles for entry in permissions() if entry.resource == move}
    assert entries["list"] == {"view", "edit", "admin", "migrate"}
    assert entries["create"] == entries["delete"] == {"migrate"}


def test_every_webhook_is_about_a_kind_that_is_served() -> None:
    gateway = install.Gateway(ca_bundle="pem", url="https://127.0.0.1:1", namespace="kubevirt")
    served = {
        (
            route.kind.group,
            route.version,
            route.resource,
            "Namespaced" if route.kind.namespaced else "Cluster",
        )
        for route in kind_routes()
    }
    for configuration in install.webhook_configurations(gateway):
        for webhook in configuration["webhooks"]:
            for rule in webhook["rules"]:
                for group in OUR_GROUPS.intersection(rule["apiGroups"]):
                    for version in rule["apiVersions"]:
                        for resource in rule["resources"]:
                            assert (group, version, resource, rule["scope"]) in served, webhook["name"]


def test_what_a_whole_cluster_shares_is_seen_by_everybody_who_is_known() -> None:
    """Rights in one namespace do not reach what has none, and machines there name it all the same."""
    shared = {entry.resource for entry in permissions() if "instancetype.kubevirt.io:view" in entry.roles}
    assert shared == {"virtualmachineclusterinstancetypes", "virtualmachineclusterpreferences"}
    bound = [binding["metadata"]["name"] for binding in install.user_bindings()]
    assert bound == ["kubevirt.io:default", "instancetype.kubevirt.io:view"]
