"""The paths at which the API server serves our kinds, each with the right that it asks for.

Made from the kinds; the façade carries on what stands here and its OpenAPI document describes it. The paths
of virt-api's own subresources are ``gateway.subresources.routes``.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from virtdeck.crds.kinds import CUSTOM, Kind

Method = Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
Place = Literal["everywhere", "collection", "object"]

_COLLECTION: tuple[tuple[Method, str], ...] = (
    ("GET", "list"),
    ("POST", "create"),
    ("DELETE", "deletecollection"),
)
_OBJECT: tuple[tuple[Method, str], ...] = (
    ("GET", "get"),
    ("PUT", "update"),
    ("PATCH", "patch"),
    ("DELETE", "delete"),
)
_PART: tuple[tuple[Method, str], ...] = (("GET", "get"), ("PUT", "update"), ("PATCH", "patch"))


@dataclass(frozen=True)
class KindRoute:
    """One method at one path. place: all namespaces, one collection, one object.

    verb: the right that RBAC is asked for; a list with ``watch=true`` asks for ``watch``.
    """

    kind: Kind[Any]
    version: str
    place: Place
    method: Method
    verb: str
    subresource: str = ""

    @property
    def resource(self) -> str:
        """As RBAC names it."""
        return f"{self.kind.plural}/{self.subresource}" if self.subresource else self.kind.plural

    @property
    def path(self) -> str:
        """The path's template, with ``{namespace}`` and ``{name}``."""
        parts = ["", "apis", self.kind.group, self.version]
        if self.kind.namespaced and self.place != "everywhere":
            parts += ["namespaces", "{namespace}"]
        parts.append(self.kind.plural)
        if self.place == "object":
            parts.append("{name}")
        return "/".join([*parts, self.subresource] if self.subresource else parts)


@cache
def kind_routes() -> tuple[KindRoute, ...]:
    """Every route of every kind, in all of its versions."""
    return tuple(
        route
        for kind in CUSTOM
        for version in (kind.version, *kind.older_versions)
        for route in _of_version(kind, version)
    )


def _of_version(kind: Kind[Any], version: str) -> Iterator[KindRoute]:
    if kind.namespaced:
        yield KindRoute(kind, version, "everywhere", "GET", "list")
    for method, verb in _COLLECTION:
        yield KindRoute(kind, version, "collection", method, verb)
    for method, verb in _OBJECT:
        yield KindRoute(kind, version, "object", method, verb)
    for name in kind.subresources:
        for method, verb in _PART:
            yield KindRoute(kind, version, "object", method, verb, name)


def routes_at(path: str) -> dict[str, KindRoute]:
    """What is served at a request's path, by method; empty when it is no path of our kinds."""
    parts = path.split("/")
    if len(parts) < 5 or parts[:2] != ["", "apis"] or "" in parts[2:]:
        return {}
    if len(parts) > 6 and parts[4] == "namespaces":
        parts = [*parts[:4], "namespaces", "{namespace}", *parts[6:]]
    named = 7 if parts[4] == "namespaces" else 5
    if len(parts) > named:
        parts[named] = "{name}"
    return _by_path().get("/".join(parts), {})


@cache
def _by_path() -> dict[str, dict[str, KindRoute]]:
    found: dict[str, dict[str, KindRoute]] = {}
    for route in kind_routes():
        found.setdefault(route.path, {})[route.method] = route
    return found
