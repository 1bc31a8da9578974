"""Who among users may do what with our kinds and their subresources: the one table behind roles and reviews.

Source: KubeVirt's cluster roles; ``scale`` is ours, for who may set ``replicas`` may scale. RBAC's own names:
verbs, and resources as ``virtualmachinepools/scale``.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from virtdeck.crds.kinds import CUSTOM, Kind
from virtdeck.crds.kinds.kind import Users
from virtdeck.crds.subresources import GROUP, SUBRESOURCES, Audience

Role = Literal["default", "view", "edit", "admin", "migrate", "instancetype.kubevirt.io:view"]

CHANGE = ("create", "update", "patch", "delete")
WRITE_PART = ("get", "update", "patch")
"""What a subresource of the API server answers to."""

_NOBODY: frozenset[Role] = frozenset()
_LOOK: frozenset[Role] = frozenset({"view", "edit", "admin"})
_EDIT: frozenset[Role] = frozenset({"edit", "admin"})
_ADMIN: frozenset[Role] = frozenset({"admin"})
_DEFAULT: frozenset[Role] = frozenset({"default"})
_MIGRATE: frozenset[Role] = frozenset({"migrate"})
_SHARE: frozenset[Role] = frozenset({"instancetype.kubevirt.io:view"})

_KINDS: dict[Users, tuple[frozenset[Role], frozenset[Role], frozenset[Role]]] = {
    "change": (_LOOK, _EDIT, _ADMIN),
    "share": (_LOOK | _SHARE, _EDIT, _ADMIN),
    "look": (_LOOK, _NOBODY, _NOBODY),
    "migrate": (_LOOK | _MIGRATE, _MIGRATE, _NOBODY),
    "everybody": (_DEFAULT, _NOBODY, _NOBODY),
    "nobody": (_NOBODY, _NOBODY, _NOBODY),
}
"""Who reads, who changes, and who deletes all at once."""
_SUBRESOURCES: dict[Audience, frozenset[Role]] = {
    "everybody": _DEFAULT,
    "view": _LOOK,
    "edit": _EDIT,
    "migrate": _MIGRATE,
    "nobody": _NOBODY,
}


@dataclass(frozen=True)
class Permission:
    """One verb on one resource, and the user roles that have it.

    roles: none for what only components and the cluster's administrators may.
    """

    group: str
    resource: str
    verb: str
    roles: frozenset[Role]


@cache
def permissions() -> tuple[Permission, ...]:
    """All that can be asked for: every verb of every kind and of what is below it."""
    return (*(found for kind in CUSTOM for found in _of_kind(kind)), *_of_subresources())


def find_permission(group: str, resource: str, verb: str) -> Permission | None:
    """The entry of the table, None when nothing is served that asks for it."""
    return _index().get((group, resource, verb))


@cache
def _index() -> dict[tuple[str, str, str], Permission]:
    return {(found.group, found.resource, found.verb): found for found in permissions()}


def _of_kind(kind: Kind[Any]) -> Iterator[Permission]:
    readers, editors, sweepers = _KINDS[kind.users]
    watchers = _NOBODY if kind.users == "everybody" else readers
    rights = {"get": readers, "list": readers, "watch": watchers}
    rights |= dict.fromkeys(CHANGE, editors) | {"deletecollection": sweepers}
    for verb, roles in rights.items():
        yield Permission(kind.group, kind.plural, verb, roles)
    for name in kind.subresources:
        for verb in WRITE_PART:
            roles = (readers if verb == "get" else editors) if name == "scale" else _NOBODY
            yield Permission(kind.group, f"{kind.plural}/{name}", verb, roles)


def _of_subresources() -> Iterator[Permission]:
    for sub in SUBRESOURCES:
        roles = _SUBRESOURCES[sub.audience]
        yield Permission(GROUP, sub.rbac_resource, sub.verb, roles)
        if not sub.namespaced:  # a path without an object's name is asked for as a list
            yield Permission(GROUP, sub.rbac_resource, "list", roles)
