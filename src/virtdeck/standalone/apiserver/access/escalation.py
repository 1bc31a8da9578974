"""Nobody can give away by RBAC what they do not have themselves."""

from collections.abc import Iterator
from itertools import product
from typing import Any

from virtdeck.standalone.apiserver.access.identity import MASTERS, User
from virtdeck.standalone.apiserver.access.rbac import GROUP, Act, Authorizer, Rule, parse_rules
from virtdeck.standalone.apiserver.problems import StatusError, forbidden

Obj = dict[str, Any]

_EVERYTHING = Rule(frozenset("*"), frozenset("*"), frozenset("*"))


def check_escalation(authorizer: Authorizer, user: User, plural: str, obj: Obj, old: Obj | None) -> None:
    """Returns if the user may write this role or binding. Raises: StatusError 403."""
    if MASTERS in user.groups:
        return
    meta = obj["metadata"]
    namespace = meta.get("namespace", "")
    if plural in ("roles", "clusterroles"):
        verb, named = "escalate", Act("escalate", GROUP, plural, namespace, meta["name"])
        wanted = () if old and _grants(old) == _grants(obj) else _wanted(obj)
    else:
        ref = obj.get("roleRef") or {}
        kind = "clusterroles" if ref.get("kind") == "ClusterRole" else "roles"
        verb, named = "bind", Act("bind", GROUP, kind, namespace, ref.get("name", ""))
        unchanged = old is not None and old.get("subjects") == obj.get("subjects")
        wanted = () if unchanged else authorizer.rules_of(ref.get("kind", ""), namespace, ref.get("name", ""))
    if not wanted or authorizer.allows(user, named):
        return
    lacking = [rule for rule in wanted if not _holds(authorizer, user, rule, namespace)]
    if lacking:
        raise _refusal(user, plural, meta["name"], verb, lacking)


def _grants(role: Obj) -> tuple[Any, Any]:
    return role.get("rules"), role.get("aggregationRule")


def _wanted(role: Obj) -> tuple[Rule, ...]:
    if role.get("aggregationRule"):
        return (_EVERYTHING,)  # whoever labels another role later decides what it grants
    return parse_rules(role.get("rules"))


def _holds(authorizer: Authorizer, user: User, rule: Rule, namespace: str) -> bool:
    return all(authorizer.allows(user, act) for act in _acts(rule, namespace))


def _acts(rule: Rule, namespace: str) -> Iterator[Act]:
    """Each single thing that the rule allows; a ``*`` stands for itself, so only a ``*`` covers it."""
    for verb, path in product(rule.verbs, rule.paths):
        yield Act(verb, path=path)
    names = rule.names or frozenset({""})
    for verb, group, resource, name in product(rule.verbs, rule.groups, rule.resources, names):
        yield Act(verb, group, resource, namespace, name)


def _refusal(user: User, plural: str, name: str, verb: str, lacking: list[Rule]) -> StatusError:
    shown = "\n".join(_show(rule) for rule in lacking)
    groups = ", ".join(f'"{group}"' for group in user.groups)
    why = (
        f'user "{user.name}" (groups=[{groups}]) is attempting to grant RBAC permissions not currently held '
        f"(the verb {verb} would allow it):\n{shown}"
    )
    return forbidden(plural, GROUP, name, why)


def _show(rule: Rule) -> str:
    parts = {
        "APIGroups": rule.groups,
        "Resources": rule.resources,
        "ResourceNames": rule.names,
        "NonResourceURLs": rule.paths,
        "Verbs": rule.verbs,
    }
    listed = (f"{name}:{sorted(values)}".replace("'", '"') for name, values in parts.items() if values)
    return "{" + ", ".join(listed) + "}"
