"""Request paths to routes; strict, so that what is reviewed is what is served."""

import re
from dataclasses import dataclass
from typing import Final

from virtdeck.basis.errors import Absent, VirtdeckError
from virtdeck.crds.subresources import GROUP, VERSIONS
from virtdeck.gateway.subresources.routes import ROUTES, Route

_PLAIN: Final = re.compile(rb"[A-Za-z0-9/._-]+")
_NAME: Final = re.compile(r"[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?")
_NAMESPACE: Final = re.compile(r"[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?")
_BASE: Final = f"/apis/{GROUP}/"


@dataclass(frozen=True)
class Match:
    """A route and what its path names."""

    route: Route
    version: str
    namespace: str = ""
    name: str = ""
    parameters: tuple[str, ...] = ()


def match(method: str, raw_path: bytes) -> Match:
    """The route that this request names. Raises: Absent, or 405 for another method."""
    if not _PLAIN.fullmatch(raw_path):  # escapes, doubled meanings: nothing we serve has any
        raise Absent("no such path")
    version, _, rest = raw_path.decode().removeprefix(_BASE).partition("/")
    if not raw_path.startswith(_BASE.encode()) or version not in VERSIONS:
        raise Absent("no such path")
    parts = rest.split("/")
    found = [candidate for route in ROUTES if (candidate := _fit(route, version, parts)) is not None]
    if not found:
        raise Absent("no such subresource")
    for candidate in found:
        if candidate.route.sub.method == method:
            return candidate
    raise VirtdeckError(
        f"this subresource answers {found[0].route.sub.method} only", reason="MethodNotAllowed"
    )


def _fit(route: Route, version: str, parts: list[str]) -> Match | None:
    namespace = name = ""
    rest = parts
    if route.namespaced:
        if len(rest) < 3 or rest[0] != "namespaces" or not _NAMESPACE.fullmatch(rest[1]):
            return None
        namespace, rest = rest[1], rest[2:]
    if route.sub.resource:
        if len(rest) < 3 or rest[0] != route.sub.resource or not _NAME.fullmatch(rest[1]):
            return None
        name, rest = rest[1], rest[2:]
    wanted = route.sub.name.split("/")
    given = rest[len(wanted) :]
    if rest[: len(wanted)] != wanted or len(given) != len(route.sub.parameters) or "" in given:
        return None
    return Match(route, version, namespace, name, tuple(given))
