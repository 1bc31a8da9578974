"""One call of a conversion webhook: the ConversionReview sent, its answer checked."""

import uuid
from typing import Any

import anyio
import orjson

from virtdeck.basis.errors import Lost
from virtdeck.standalone.apiserver.aggregation.upstream import Upstreams
from virtdeck.standalone.apiserver.problems import StatusError, internal
from virtdeck.standalone.apiserver.resources.resource import Conversion

Obj = dict[str, Any]

_SECONDS = 30
_MOST_ANSWER_BYTES = 64 * 1024 * 1024
# What a webhook may change of an object's metadata.
_FREE = ("labels", "annotations")


async def converted(
    conversion: Conversion, upstreams: Upstreams, objects: list[Obj], wanted: str
) -> list[Obj]:
    """The objects in the wanted version, in the same order. Raises: StatusError 500."""
    request = {"uid": str(uuid.uuid4()), "desiredAPIVersion": wanted, "objects": objects}
    review = {"kind": "ConversionReview", "apiVersion": "apiextensions.k8s.io/v1", "request": request}
    try:
        with anyio.fail_after(_SECONDS):
            status, body = await _post(conversion, upstreams, orjson.dumps(review))
    except TimeoutError as fault:
        raise _failed(objects, f"no answer within {_SECONDS}s") from fault
    except Lost as fault:
        raise _failed(objects, str(fault)) from fault
    if status != 200:
        raise _failed(objects, f"the server answered {status}")
    return _read(body, request, objects)


async def _post(conversion: Conversion, upstreams: Upstreams, body: bytes) -> tuple[int, bytes]:
    endpoint, path = upstreams.webhook(conversion.client, conversion.ca)
    headers = [
        ("host", f"{endpoint.server_name}:{endpoint.port}"),
        ("content-type", "application/json"),
        ("accept", "application/json"),
        ("user-agent", "kube-apiserver-conversion"),
    ]
    path += ("&" if "?" in path else "?") + f"timeout={_SECONDS}s"
    async with upstreams.client.request(endpoint, "POST", path, headers, body) as answer:
        pieces, size = [], 0
        async for piece in answer.body():
            size += len(piece)
            if size > _MOST_ANSWER_BYTES:
                raise Lost(f"its answer is longer than {_MOST_ANSWER_BYTES} bytes")
            pieces.append(piece)
        return answer.status, b"".join(pieces)


def _read(body: bytes, request: Obj, objects: list[Obj]) -> list[Obj]:
    try:
        response = orjson.loads(body)["response"]
        result, found = response.get("result") or {}, response.get("convertedObjects") or []
    except (ValueError, KeyError, TypeError, AttributeError) as fault:
        raise _failed(objects, f"its answer cannot be read: {fault}") from fault
    if response.get("uid") != request["uid"]:
        raise _failed(objects, f"expected response.uid={request['uid']}, got {response.get('uid')}")
    if result.get("status") != "Success":
        raise _failed(objects, str(result.get("message") or "it failed without saying why"))
    if len(found) != len(objects):
        raise _failed(objects, f"it returned {len(found)} objects, expected {len(objects)}")
    return [
        _checked(given, made, request["desiredAPIVersion"])
        for given, made in zip(objects, found, strict=True)
    ]


def _checked(given: Obj, made: Any, wanted: str) -> Obj:
    """The converted object, with the metadata that the webhook may not change. Raises: StatusError 500."""
    meta = made.get("metadata") if isinstance(made, dict) else None
    if not isinstance(meta, dict):
        raise _failed([given], "it returned an object without metadata")
    if (made.get("apiVersion"), made.get("kind")) != (wanted, given["kind"]):
        raise _failed([given], f"it returned {made.get('apiVersion')}, {made.get('kind')} for {wanted}")
    for name in ("name", "namespace", "uid"):
        if meta.get(name) != given["metadata"].get(name):
            raise _failed([given], f"it changed metadata.{name}")
    kept = {name: value for name, value in given["metadata"].items() if name not in _FREE}
    return {**made, "metadata": {**kept, **{name: meta[name] for name in _FREE if name in meta}}}


def _failed(objects: list[Obj], why: str) -> StatusError:
    first = objects[0]
    return internal(f"conversion webhook for {first['apiVersion']}, Kind={first['kind']} failed: {why}")
