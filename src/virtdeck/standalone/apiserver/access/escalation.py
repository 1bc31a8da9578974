"""Nobody can give away by RBAC what they do not have themselves."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any

from virtdeck.standalone.apiserver.access.identity import MASTERS, User
from virtdeck.standalone.apiserver.access.rbac import GROUP, Act, Authorizer, Rule, parse_rules
from virtdeck.standalone.apiserver.problems import StatusError, forbidden, not_found

Obj = dict[str, Any]

_EVERYTHING = Rule(frozenset("*"), frozenset("*"), frozenset("*"))


def check_escalation(authorizer: Authorizer, user: User, plural: str, obj: Obj, old: Obj | None) -> None:
    """Returns if the user may write this role or binding. Raises: StatusError 403."""
    if MASTERS in user.groups:
        return
    meta = obj["metadata"]
    namespace = meta.get("namespace", "")
    if plural in ("roles", "clusterroles"):
        named = Act("escalate", GROUP, plural, namespace, meta["name"])
        wanted = () if old and _grants(old) == _grants(obj) else _wanted(obj)
    else:
        ref = obj.get("roleRef") or {}
        kind = "clusterroles" if ref.get("kind") == "ClusterRole" else "roles"
        named = Act("bind", GROUP, kind, namespace, ref.get("name", ""))
        unchanged = old is not None and old.get("subjects") == obj.get("subjects")
        if not unchanged and not authorizer.allows(user, named):
            _require_role(authorizer, kind, namespace, ref.get("name", ""))
        wanted = () if unchanged else authorizer.rules_of(ref.get("kind", ""), namespace, ref.get("name", ""))
    if not wanted or authorizer.allows(user, named):
        return
    lacking = [act for rule in wanted for act in _acts(rule, namespace) if not authorizer.allows(user, act)]
    if lacking:
        raise _refusal(user, plural, meta["name"], lacking)


def _require_role(authorizer: Authorizer, kind: str, namespace: str, name: str) -> None:
    """Raises: StatusError 404: what is bound before it is there gives away what it grants one day."""
    if not authorizer.has_role(kind, namespace, name):
        raise not_found(kind, GROUP, name)


def _grants(role: Obj) -> tuple[Any, Any]:
    return role.get("rules"), role.get("aggregationRule")


def _wanted(role: Obj) -> tuple[Rule, ...]:
    if role.get("aggregationRule"):
        return (_EVERYTHING,)  # whoever labels another role later decides what it grants
    return parse_rules(role.get("rules"))


def _acts(rule: Rule, namespace: str) -> Iterator[Act]:
    """Each single thing that the rule allows; a ``*`` stands for itself, so only a ``*`` covers it."""
    for verb, path in product(rule.verbs, rule.paths):
        yield Act(verb, path=path)
    names = rule.names or frozenset({""})
    for verb, group, resource, name in product(rule.verbs, rule.groups, rule.resources, names):
        yield Act(verb, group, resource, namespace, name)


def _refusal(user: User, plural: str, name: str, lacking: list[Act]) -> StatusError:
    groups = " ".join(f'"{group}"' for group in user.groups)
    shown = "\n".join(_show(lacking))
    why = (
        f'user "{user.name}" (groups=[{groups}]) is attempting to grant RBAC permissions not currently held:'
        f"\n{shown}"
    )
    return forbidden(plural, GROUP, name, why)


def _show(lacking: list[Act]) -> Iterator[str]:
    """One line for each thing, with everything that may not be done to it."""
    verbs: dict[Act, set[str]] = {}
    for act in lacking:
        verbs.setdefault(replace(act, verb=""), set()).add(act.verb)
    for thing in sorted(verbs, key=lambda act: (act.path, act.group, act.resource, act.name)):
        parts = {"NonResourceURLs": thing.path} if thing.path else {"APIGroups": thing.group}
        parts |= {"Resources": thing.resource} if thing.resource else {}
        parts |= {"ResourceNames": thing.name} if thing.name else {}
        listed = [f'{name}:["{value}"]' for name, value in parts.items()]
        quoted = " ".join(f'"{verb}"' for verb in sorted(verbs[thing]))
        yield "{" + ", ".join([*listed, f"Verbs:[{quoted}]"]) + "}"
