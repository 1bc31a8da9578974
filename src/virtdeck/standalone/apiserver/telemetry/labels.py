"""A request in the words that Kubernetes' metrics and audit log have for it."""

from virtdeck.standalone.apiserver.requests.call import Call

_METHODS = {
    "get": "GET",
    "list": "LIST",
    "watch": "WATCH",
    "create": "POST",
    "update": "PUT",
    "patch": "PATCH",
    "delete": "DELETE",
    "deletecollection": "DELETECOLLECTION",
}
READS = frozenset({"get", "list", "watch"})


def metric_verb(call: Call) -> str:
    """The verb as metrics spell it."""
    verb = call.target.verb
    if verb == "patch" and "apply-patch" in call.headers.get("content-type", ""):
        return "APPLY"
    if call.scope["type"] == "websocket":
        return "CONNECT"
    return _METHODS.get(verb, "OTHER")


def metric_scope(call: Call) -> str:
    """How much of a resource the request is about."""
    target = call.target
    if not target.is_resource:
        return ""
    if target.name and target.verb not in ("list", "watch", "deletecollection"):
        return "resource"
    return "namespace" if target.namespace else "cluster"


def is_mutating(call: Call) -> bool:
    """Whether it may change something."""
    return call.target.verb not in READS and call.method not in ("GET", "HEAD", "OPTIONS")
