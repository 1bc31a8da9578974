"""The objects that parametrise a policy, as its binding refers to them."""

from typing import Any

from virtdeck.standalone.apiserver.objects.selectors import selector_from_object
from virtdeck.standalone.apiserver.objects.versions import decode
from virtdeck.standalone.apiserver.resources.registry import Registry
from virtdeck.standalone.apiserver.resources.resource import Resource
from virtdeck.standalone.apiserver.storage.store import Store
from virtdeck.standalone.apiserver.verbs.attributes import Attributes

Obj = dict[str, Any]


class ParamsMissing(Exception):
    """The parameters cannot be had; the policy counts as misconfigured."""


class Params:
    """Finds parameters among what is stored."""

    def __init__(self, store: Store, registry: Registry) -> None:
        self._store = store
        self._registry = registry

    def find(self, kind: Obj | None, ref: Obj | None, attributes: Attributes) -> list[Obj | None]:
        """One entry for each evaluation of the policy; none when there are none and that is allowed.

        Raises: ParamsMissing.
        """
        if not kind or not ref:
            return [None]
        named = f"{kind.get('apiVersion')}, Kind={kind.get('kind')}"
        resource = self._registry.of_kind(kind.get("apiVersion") or "", kind.get("kind") or "")
        if resource is None:
            raise ParamsMissing(f"failed to find resource referenced by paramKind: '{named}'")
        namespace = _namespace(resource, ref, attributes)
        found = (
            self._named(resource, namespace, ref)
            if ref.get("name")
            else self._chosen(resource, namespace, ref)
        )
        if not found and ref.get("parameterNotFoundAction") != "Allow":
            raise ParamsMissing("no params found for policy binding with `Deny` parameterNotFoundAction")
        return list(found)

    def _named(self, resource: Resource, namespace: str, ref: Obj) -> list[Obj]:
        row = self._store.shelf(resource.shelf).get((namespace, ref["name"]))
        return [decode(row, resource)] if row is not None else []

    def _chosen(self, resource: Resource, namespace: str, ref: Obj) -> list[Obj]:
        selector = selector_from_object(ref.get("selector"))
        rows = self._store.shelf(resource.shelf).in_order(namespace)
        return [decode(row, resource) for row in rows if selector.matches(row.labels)]


def _namespace(resource: Resource, ref: Obj, attributes: Attributes) -> str:
    given = str(ref.get("namespace") or "")
    if not resource.namespaced:
        if given:
            raise ParamsMissing("paramRef.namespace must not be provided for a cluster-scoped `paramKind`")
        return ""
    if given:
        return given
    if not attributes.resource.namespaced:
        raise ParamsMissing("paramRef.namespace is needed for a cluster-scoped object")
    return attributes.namespace
