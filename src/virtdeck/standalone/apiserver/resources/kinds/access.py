"""Roles and bindings."""

from collections.abc import Iterator
from typing import Any

from virtdeck.basis.errors import Cause
from virtdeck.crds.names import faults_of_path_segment, invalid_value
from virtdeck.standalone.apiserver.resources.rules import Obj, Rules, required

_GROUP = "rbac.authorization.k8s.io"
_SUBJECTS = ("ServiceAccount", "User", "Group")


def _unsupported(path: str, value: Any, *allowed: str) -> Cause:
    """As Kubernetes words it here: what is allowed in its own order."""
    shown = ", ".join(f'"{one}"' for one in allowed)
    text = f'Unsupported value: "{value or ""}": supported values: {shown}'
    return Cause(path, text, "FieldValueNotSupported")


class RoleRules(Rules):
    """Roles: any name that can stand in a path; a rule is about resources or, cluster-wide, about paths."""

    checks_presence = True

    def __init__(self, *, namespaced: bool) -> None:
        self._namespaced = namespaced

    def faults_of_name(self, name: str) -> list[str]:
        return faults_of_path_segment(name)

    def causes(self, obj: Obj) -> list[Cause]:
        return [
            cause
            for index, rule in enumerate(obj.get("rules") or ())
            for cause in self._of_rule(rule, f"rules[{index}]")
        ]

    def _of_rule(self, rule: Obj, path: str) -> Iterator[Cause]:
        if not rule.get("verbs"):
            text = "Required value: verbs must contain at least one value"
            yield Cause(f"{path}.verbs", text, "FieldValueRequired")
        if paths := rule.get("nonResourceURLs"):
            shown = ", ".join(f'"{one}"' for one in paths)
            if self._namespaced:
                why = "namespaced rules cannot apply to non-resource URLs"
                yield Cause(f"{path}.nonResourceURLs", f"Invalid value: []string{{{shown}}}: {why}")
            if any(rule.get(name) for name in ("apiGroups", "resources", "resourceNames")):
                why = "rules cannot apply to both regular resources and non-resource URLs"
                yield Cause(f"{path}.nonResourceURLs", f"Invalid value: []string{{{shown}}}: {why}")
            return
        for name, what in (("apiGroups", "api group"), ("resources", "resource")):
            if not rule.get(name):
                text = f"Required value: resource rules must supply at least one {what}"
                yield Cause(f"{path}.{name}", text, "FieldValueRequired")


class BindingRules(Rules):
    """Bindings: whom a role is given to; the role is for good."""

    checks_presence = True

    def __init__(self, *, namespaced: bool) -> None:
        self._roles = ("Role", "ClusterRole") if namespaced else ("ClusterRole",)
        self._namespaced = namespaced

    def faults_of_name(self, name: str) -> list[str]:
        return faults_of_path_segment(name)

    def default(self, obj: Obj) -> None:
        if ref := obj.get("roleRef"):
            ref.setdefault("apiGroup", _GROUP)
        for subject in obj.get("subjects") or ():
            if subject.get("kind") in ("User", "Group"):
                subject.setdefault("apiGroup", _GROUP)

    def causes(self, obj: Obj) -> list[Cause]:
        ref: Any = obj.get("roleRef") or {}
        causes = []
        if ref.get("apiGroup", _GROUP) != _GROUP:
            causes.append(_unsupported("roleRef.apiGroup", ref.get("apiGroup"), _GROUP))
        if ref.get("kind") not in self._roles:
            causes.append(_unsupported("roleRef.kind", ref.get("kind"), *self._roles))
        name = ref.get("name")
        if not name:
            causes.append(required("roleRef.name"))
        else:
            causes += [invalid_value("roleRef.name", name, fault) for fault in faults_of_path_segment(name)]
        for index, subject in enumerate(obj.get("subjects") or ()):
            causes += self._of_subject(subject, f"subjects[{index}]")
        return causes

    def _of_subject(self, subject: Obj, path: str) -> Iterator[Cause]:
        if not subject.get("name"):
            yield required(f"{path}.name")
        kind = subject.get("kind")
        if kind not in _SUBJECTS:
            yield _unsupported(f"{path}.kind", kind, *_SUBJECTS)
            return
        wanted = "" if kind == "ServiceAccount" else _GROUP
        if (subject.get("apiGroup") or "") != wanted:
            yield _unsupported(f"{path}.apiGroup", subject.get("apiGroup"), wanted)
        if kind == "ServiceAccount" and not self._namespaced and not subject.get("namespace"):
            yield required(f"{path}.namespace")

    def causes_of_update(self, new: Obj, old: Obj) -> list[Cause]:
        if new.get("roleRef") == old.get("roleRef"):
            return []
        return [Cause("roleRef", f"Invalid value: {_shown(new.get('roleRef'))}: cannot change roleRef")]


def _shown(ref: Any) -> str:
    held = ref or {}
    group, kind, name = (held.get(key) or "" for key in ("apiGroup", "kind", "name"))
    return f'rbac.RoleRef{{APIGroup:"{group}", Kind:"{kind}", Name:"{name}"}}'
