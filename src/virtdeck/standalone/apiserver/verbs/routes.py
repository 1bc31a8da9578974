"""Which handler answers which verb on which resource and subresource."""

from collections.abc import Awaitable, Callable

from virtdeck.standalone.apiserver.access.reviews import request_token
from virtdeck.standalone.apiserver.problems import method_not_allowed, no_such_path
from virtdeck.standalone.apiserver.requests.call import Call, Reply
from virtdeck.standalone.apiserver.resources.resource import Resource
from virtdeck.standalone.apiserver.service import Service
from virtdeck.standalone.apiserver.verbs import reading, scaling, subresources, writing

Handler = Callable[[Call, Service, Resource], Awaitable[Reply]]


async def _get(call: Call, service: Service, resource: Resource) -> Reply:
    return await reading.get_object(call, service, resource)


async def _list(call: Call, service: Service, resource: Resource) -> Reply:
    return await reading.list_objects(call, service, resource)


async def _token(call: Call, service: Service, _resource: Resource) -> Reply:
    return await request_token(call, service)


_PLAIN: dict[str, Handler] = {
    "get": _get,
    "list": _list,
    "create": writing.create_object,
    "update": writing.update_object,
    "patch": writing.patch_object,
    "delete": writing.delete_object,
    "deletecollection": writing.delete_collection,
}
_STATUS: dict[str, Handler] = {
    "get": _get,
    "update": writing.update_object,
    "patch": writing.patch_object,
}
_SCALE: dict[str, Handler] = dict.fromkeys(("get", "update", "patch"), scaling.scale)
_OTHERS: dict[str, dict[str, Handler]] = {
    "status": _STATUS,
    "scale": _SCALE,
    "binding": {"create": subresources.bind_pod},
    "eviction": {"create": subresources.evict_pod},
    "token": {"create": _token},
    "finalize": {"update": subresources.finalize_namespace},
}


def check_read_only(call: Call) -> None:
    """Raises: StatusError 405 for what would change a path that names no resource."""
    if call.method not in ("GET", "HEAD"):
        raise method_not_allowed()


def handler_of(call: Call, resource: Resource) -> Handler:
    """The handler of a request. Raises: StatusError 404, 405."""
    target = call.target
    if resource.namespaced and not target.namespace:
        if target.is_one:
            raise no_such_path()
        if target.verb not in ("list", "watch"):
            raise method_not_allowed()
    if not target.subresource:
        found = _PLAIN.get(target.verb)
        named = target.verb in ("update", "patch", "delete") and not target.name
        if (
            found is None
            or named
            or target.verb not in resource.verbs
            or (target.verb == "create" and target.name)
        ):
            raise method_not_allowed()
        return found
    if target.subresource not in resource.subresources or target.rest:
        raise no_such_path()
    found = _OTHERS.get(target.subresource, {}).get(target.verb)
    if found is None:
        raise method_not_allowed()
    return found
