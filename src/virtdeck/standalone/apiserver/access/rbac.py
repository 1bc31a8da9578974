"""Who may do what, by the stored roles and bindings."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from virtdeck.standalone.apiserver.access.identity import MASTERS, User, account_name
from virtdeck.standalone.apiserver.storage.shelf import Shelf
from virtdeck.standalone.apiserver.storage.store import Store
from virtdeck.standalone.apiserver.storage.timeline import Event

Obj = dict[str, Any]

GROUP = "rbac.authorization.k8s.io"
_SHELVES = tuple(
    f"{GROUP}/{plural}" for plural in ("clusterrolebindings", "clusterroles", "rolebindings", "roles")
)


@dataclass(frozen=True)
class Act:
    """One thing that somebody wants to do: on a resource, or on a plain path."""

    verb: str
    group: str = ""
    resource: str = ""  # "pods" or "pods/log"
    namespace: str = ""
    name: str = ""
    path: str = ""


@dataclass(frozen=True)
class Rule:
    """One PolicyRule."""

    verbs: frozenset[str]
    groups: frozenset[str] = frozenset()
    resources: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    paths: tuple[str, ...] = ()

    def allows(self, act: Act) -> bool:
        if act.verb not in self.verbs and "*" not in self.verbs:
            return False
        if act.path:
            return any(_path_matches(pattern, act.path) for pattern in self.paths)
        return (
            (act.group in self.groups or "*" in self.groups)
            and self._covers(act.resource)
            and (not self.names or act.name in self.names)
        )

    def _covers(self, resource: str) -> bool:
        if resource in self.resources or "*" in self.resources:
            return True
        _, slash, subresource = resource.partition("/")
        return bool(slash) and f"*/{subresource}" in self.resources


def _path_matches(pattern: str, path: str) -> bool:
    return pattern in ("*", path) or (pattern.endswith("*") and path.startswith(pattern[:-1]))


def parse_rules(rules: Any) -> tuple[Rule, ...]:
    """The rules of a role."""
    return tuple(
        Rule(
            frozenset(rule.get("verbs") or ()),
            frozenset(rule.get("apiGroups") or ()),
            frozenset(rule.get("resources") or ()),
            frozenset(rule.get("resourceNames") or ()),
            tuple(rule.get("nonResourceURLs") or ()),
        )
        for rule in rules or ()
    )


@dataclass(frozen=True)
class Grant:
    """The rules that one binding gives. namespace: empty for all."""

    rules: tuple[Rule, ...]
    namespace: str
    source: str  # the sentence for audits and reviews


Subject = tuple[str, str]  # "User" or "Group", name


class Authorizer:
    """Answers from an index that is built again after roles or bindings changed."""

    def __init__(self, store: Store) -> None:
        self._shelves = [store.shelf(name) for name in _SHELVES]
        self._cluster_roles, self._roles = store.shelf(f"{GROUP}/clusterroles"), store.shelf(f"{GROUP}/roles")
        self._grants: dict[Subject, list[Grant]] | None = None
        store.listen(self._hear)

    def allows(self, user: User, act: Act) -> bool:
        """Whether the user may."""
        return self.why(user, act) is not None

    def why(self, user: User, act: Act) -> str | None:
        """What allows the user to act; None if nothing does."""
        if MASTERS in user.groups:
            return ""
        for grant in self.grants_of(user):
            if grant.namespace and grant.namespace != act.namespace:
                continue
            if any(rule.allows(act) for rule in grant.rules if not (grant.namespace and act.path)):
                return grant.source
        return None

    def grants_of(self, user: User) -> Iterator[Grant]:
        """Everything that bindings give the user and its groups."""
        if self._grants is None:
            self._grants = self._build()
        yield from self._grants.get(("User", user.name), ())
        for group in user.groups:
            yield from self._grants.get(("Group", group), ())

    def rules_of(self, kind: str, namespace: str, name: str) -> tuple[Rule, ...]:
        """The rules of a Role or ClusterRole; none if it does not exist."""
        shelf = self._roles if kind == "Role" else self._cluster_roles
        row = shelf.get((namespace if kind == "Role" else "", name))
        return parse_rules(row.decode().get("rules")) if row is not None else ()

    def has_role(self, plural: str, namespace: str, name: str) -> bool:
        """Whether the Role or ClusterRole exists."""
        if plural == "clusterroles":
            return self._cluster_roles.get(("", name)) is not None
        return self._roles.get((namespace, name)) is not None

    def _hear(self, shelf: Shelf, _event: Event) -> None:
        if shelf in self._shelves:
            self._grants = None

    def _build(self) -> dict[Subject, list[Grant]]:
        cluster_bindings, cluster_roles, bindings, roles = (_objects(shelf) for shelf in self._shelves)
        rules: dict[tuple[str, str, str], tuple[Rule, ...]] = {}
        for role in cluster_roles:
            rules[("ClusterRole", "", role["metadata"]["name"])] = parse_rules(role.get("rules"))
        for role in roles:
            meta = role["metadata"]
            rules[("Role", meta["namespace"], meta["name"])] = parse_rules(role.get("rules"))
        grants: dict[Subject, list[Grant]] = {}
        for binding in [*cluster_bindings, *bindings]:
            namespace = binding["metadata"].get("namespace", "")
            ref = binding.get("roleRef") or {}
            place = "" if ref.get("kind") == "ClusterRole" else namespace
            found = rules.get((ref.get("kind", ""), place, ref.get("name", "")))
            if found:
                source = _source(binding)
                for subject, shown in _subjects(binding):
                    grants.setdefault(subject, []).append(Grant(found, namespace, f"{source} to {shown}"))
        return grants


def _objects(shelf: Shelf) -> list[Obj]:
    return [row.decode() for row in shelf.rows.values()]


def _source(binding: Obj) -> str:
    meta, ref = binding["metadata"], binding.get("roleRef") or {}
    place = f"{meta['name']}/{meta['namespace']}" if meta.get("namespace") else meta["name"]
    return f'RBAC: allowed by {binding.get("kind")} "{place}" of {ref.get("kind")} "{ref.get("name")}"'


def _subjects(binding: Obj) -> Iterable[tuple[Subject, str]]:
    """Each subject, and how reasons name it."""
    for subject in binding.get("subjects") or ():
        kind, name = subject.get("kind"), subject.get("name", "")
        if kind == "ServiceAccount":
            namespace = subject.get("namespace") or binding["metadata"].get("namespace", "")
            yield ("User", account_name(namespace, name)), f'ServiceAccount "{name}/{namespace}"'
        elif kind in ("User", "Group"):
            yield (kind, name), f'{kind} "{name}"'


def refusal(user: User, act: Act) -> str:
    """The sentence that says what the user may not do."""
    if act.path:
        return f'User "{user.name}" cannot {act.verb} path "{act.path}"'
    where = f' in the namespace "{act.namespace}"' if act.namespace else " at the cluster scope"
    return f'User "{user.name}" cannot {act.verb} resource "{act.resource}" in API group "{act.group}"{where}'
