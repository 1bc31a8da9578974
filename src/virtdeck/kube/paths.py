"""Where the API serves a kind: paths and selector queries."""

from typing import Any
from urllib.parse import quote

from virtdeck.basis.errors import Bug
from virtdeck.kube.objects import Kind


def collection_path(kind: Kind[Any], namespace: str | None = None) -> str:
    """The path of all objects of the kind, or of those in one namespace."""
    root = f"/apis/{kind.group}/{kind.version}" if kind.group else f"/api/{kind.version}"
    if namespace and kind.namespaced:
        return f"{root}/namespaces/{quote(namespace, safe='')}/{kind.plural}"
    return f"{root}/{kind.plural}"


def object_path(kind: Kind[Any], name: str, namespace: str | None, subresource: str | None = None) -> str:
    """The path of one object, or of its subresource. Raises: Bug when the namespace is missing."""
    if not name or (kind.namespaced and not namespace):
        raise Bug(f"a {kind.kind} was asked for without its name or namespace")
    path = f"{collection_path(kind, namespace)}/{quote(name, safe='')}"
    return f"{path}/{subresource}" if subresource else path


def selector_query(label_selector: str | None, field_selector: str | None) -> dict[str, str]:
    """The query that narrows a list or watch."""
    query = {}
    if label_selector:
        query["labelSelector"] = label_selector
    if field_selector:
        query["fieldSelector"] = field_selector
    return query
