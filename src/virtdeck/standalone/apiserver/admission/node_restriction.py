"""Whoever is bound to a node writes that Node alone, and there only what is virtdeck's to say."""

from typing import Any

from virtdeck.standalone.apiserver.access.authentication import NODE_NAME_EXTRA
from virtdeck.standalone.apiserver.problems import forbidden
from virtdeck.standalone.apiserver.verbs.attributes import Attributes

Obj = dict[str, Any]

_DOMAIN = "kubevirt.io"


def check_node(attributes: Attributes, obj: Obj | None, old: Obj | None) -> None:
    """Returns if the write to a Node may be; a node that was broken into steers no pods (S-04, S-13).

    Raises: StatusError 403.
    """
    bound = dict(attributes.user.extra).get(NODE_NAME_EXTRA, ())
    if not bound:
        return
    if bound != (attributes.name,):
        raise _refusal(attributes, f"may write the Node {', '.join(bound)} alone")
    if obj is None or old is None:
        raise _refusal(attributes, "may neither make nor delete a Node")
    if obj.get("spec") != old.get("spec"):
        raise _refusal(attributes, "may not change a Node's spec")
    foreign = _foreign_changes(obj.get("metadata") or {}, old.get("metadata") or {})
    if foreign:
        raise _refusal(attributes, f"may not change a Node's {', '.join(foreign)}")


def _foreign_changes(now: Obj, before: Obj) -> list[str]:
    """What of the metadata changed that is not of our domain."""
    found = [
        f"{field} {key}"
        for field in ("labels", "annotations")
        for key in sorted({**(now.get(field) or {}), **(before.get(field) or {})})
        if (now.get(field) or {}).get(key) != (before.get(field) or {}).get(key) and not _is_ours(key)
    ]
    fixed = ("finalizers", "ownerReferences")
    return found + [field for field in fixed if (now.get(field) or []) != (before.get(field) or [])]


def _is_ours(key: str) -> bool:
    domain = key.partition("/")[0]
    return domain == _DOMAIN or domain.endswith(f".{_DOMAIN}")


def _refusal(attributes: Attributes, why: str) -> Exception:
    return forbidden("nodes", "", attributes.name, f"{attributes.user.name} {why}")
