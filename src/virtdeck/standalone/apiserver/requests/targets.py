"""What a path and method ask for, as Kubernetes' RequestInfo says it."""

from dataclasses import dataclass, replace
from urllib.parse import parse_qs, unquote

Query = dict[str, list[str]]

_VERBS = {
    "GET": "get",
    "POST": "create",
    "PUT": "update",
    "PATCH": "patch",
    "DELETE": "delete",
}
_NAMESPACE_PARTS = ("status", "finalize")


@dataclass(frozen=True)
class Target:
    """``plural`` is empty for paths that name no resource; then ``parts`` says what else it is."""

    path: str
    verb: str
    parts: tuple[str, ...] = ()
    group: str = ""
    version: str = ""
    plural: str = ""
    namespace: str = ""
    name: str = ""
    subresource: str = ""
    rest: str = ""  # of the path, after the subresource
    is_one: bool = False  # the path names an object, not a collection

    @property
    def is_resource(self) -> bool:
        return bool(self.plural)


def parse_query(raw: bytes) -> Query:
    """The query's parameters, empty ones kept."""
    return parse_qs(raw.decode("latin-1"), keep_blank_values=True, max_num_fields=256)


def parse_target(method: str, path: str, query: Query) -> Target:
    """Where the request goes. The path is still percent-encoded, so that an encoded slash splits nothing."""
    parts = tuple(unquote(part) for part in path.split("/") if part)
    plain = Target(path, method.lower(), parts)
    if parts[:1] == ("api",) and len(parts) >= 3:
        return _resource(plain, method, query, "", parts[1], parts[2:])
    if parts[:1] == ("apis",) and len(parts) >= 4:
        return _resource(plain, method, query, parts[1], parts[2], parts[3:])
    return plain


def _resource(
    plain: Target, method: str, query: Query, group: str, version: str, parts: tuple[str, ...]
) -> Target:
    watched = parts[0] == "watch" and len(parts) > 1
    parts = parts[1:] if watched else parts
    namespace = ""
    if parts[0] == "namespaces" and len(parts) > 1:
        namespace = parts[1]
        if len(parts) > 2 and parts[2] not in _NAMESPACE_PARTS:
            parts = parts[2:]
    name = parts[1] if len(parts) > 1 else ""
    target = replace(
        plain,
        group=group,
        version=version,
        plural=parts[0],
        namespace=namespace,
        name=name,
        subresource=parts[2] if len(parts) > 2 else "",
        rest="/".join(parts[3:]),
        verb=_VERBS.get(method, method.lower()),
        is_one=bool(name),
    )
    if watched:
        return _watched(target, query)
    return target if name else _collection(target, query)


def _watched(target: Target, query: Query) -> Target:
    """The old form of a watch: ``/api/v1/watch/…``, of one object with its name in the path."""
    if target.verb != "get":
        return target
    if target.name:
        query["fieldSelector"] = [f"metadata.name={target.name}"]
    return replace(target, verb="watch", is_one=False)


def _collection(target: Target, query: Query) -> Target:
    if target.verb == "delete":
        return replace(target, verb="deletecollection", name=_selected_name(query))
    if target.verb == "get":
        verb = "watch" if is_true(query, "watch") else "list"
        return replace(target, verb=verb, name=_selected_name(query))
    return target


def _selected_name(query: Query) -> str:
    """The one name that a field selector asks for: permission for it is enough."""
    for term in first(query, "fieldSelector").split(","):
        left, equal, right = term.partition("=")
        if left == "metadata.name" and equal:
            return right.removeprefix("=")
    return ""


def first(query: Query, name: str, default: str = "") -> str:
    """A parameter's (first) value."""
    return query.get(name, [default])[0]


def is_true(query: Query, name: str) -> bool:
    """Whether a parameter is given and does not say no."""
    return name in query and first(query, name).lower() not in ("0", "false", "f")
