"""One call of one webhook: the AdmissionReview sent, its answer read."""

import base64
import binascii
import uuid
from dataclasses import dataclass
from typing import Any

import anyio
import orjson

from virtdeck.basis.errors import Lost
from virtdeck.standalone.apiserver.admission.webhook_rules import Webhook
from virtdeck.standalone.apiserver.aggregation.upstream import Upstreams
from virtdeck.standalone.apiserver.resources.resource import Resource
from virtdeck.standalone.apiserver.verbs.attributes import Attributes

Obj = dict[str, Any]

_MOST_ANSWER_BYTES = 8 * 1024 * 1024
_MOST_WARNINGS, _LONGEST_WARNING, _LONGEST_ANNOTATION = 32, 256, 10 * 1024


class CallFailed(Exception):
    """The webhook could not be asked."""

    begin = "failed to call webhook"

    def __str__(self) -> str:
        return f"{self.begin}: {super().__str__()}"


class InvalidAnswer(CallFailed):
    """The webhook answered nonsense."""

    begin = "received invalid webhook response"


@dataclass(frozen=True)
class Verdict:
    """What a webhook said. patch: JSON patch operations, None without any."""

    allowed: bool
    patch: list[Any] | None
    warnings: tuple[str, ...]
    annotations: tuple[tuple[str, str], ...]
    status: Obj


def review_of(attributes: Attributes, resource: Resource, obj: Obj | None, old: Obj | None) -> Obj:
    """The request part of an AdmissionReview. resource: as which the objects are shown."""
    kind, named = _named(resource)
    asked_kind, asked_name = _named(attributes.resource)
    request: Obj = {
        "uid": str(uuid.uuid4()),
        "kind": kind,
        "resource": named,
        "requestKind": asked_kind,
        "requestResource": asked_name,
        "name": attributes.name,
        "operation": attributes.operation,
        "userInfo": attributes.user.to_dict(),
        "object": obj,
        "oldObject": old,
        "dryRun": attributes.dry_run,
        "options": attributes.options or None,
    }
    if attributes.namespace:
        request["namespace"] = attributes.namespace
    elif resource.plural == "namespaces" and not resource.group:
        request["namespace"] = attributes.name
    if attributes.subresource:
        request["subResource"] = request["requestSubResource"] = attributes.subresource
    return request


def _named(resource: Resource) -> tuple[Obj, Obj]:
    place = {"group": resource.group, "version": resource.version}
    return {**place, "kind": resource.kind}, {**place, "resource": resource.plural}


async def call_webhook(webhook: Webhook, upstreams: Upstreams, request: Obj) -> Verdict:
    """The webhook's verdict. Raises: CallFailed."""
    version = next((one for one in webhook.review_versions if one in ("v1", "v1beta1")), None)
    if version is None:
        raise CallFailed(f"it takes none of the versions v1 and v1beta1 but {list(webhook.review_versions)}")
    review = {"kind": "AdmissionReview", "apiVersion": f"admission.k8s.io/{version}", "request": request}
    try:
        with anyio.fail_after(webhook.timeout_seconds):
            status, body = await _post(webhook, upstreams, orjson.dumps(review))
    except TimeoutError as fault:
        raise CallFailed(f"context deadline exceeded after {webhook.timeout_seconds:g}s") from fault
    except Lost as fault:
        raise CallFailed(str(fault)) from fault
    if status != 200:
        raise CallFailed(f"the server answered {status}: {body[:256].decode(errors='replace')}")
    return _read(body, request["uid"])


async def _post(webhook: Webhook, upstreams: Upstreams, body: bytes) -> tuple[int, bytes]:
    endpoint, path = upstreams.webhook(webhook.client, webhook.ca)
    headers = [
        ("host", f"{endpoint.server_name}:{endpoint.port}"),
        ("content-type", "application/json"),
        ("accept", "application/json"),
        ("user-agent", "kube-apiserver-admission"),
    ]
    path += ("&" if "?" in path else "?") + f"timeout={webhook.timeout_seconds:g}s"
    async with upstreams.client.request(endpoint, "POST", path, headers, body) as answer:
        pieces, size = [], 0
        async for piece in answer.body():
            size += len(piece)
            if size > _MOST_ANSWER_BYTES:
                raise CallFailed(f"its answer is longer than {_MOST_ANSWER_BYTES} bytes")
            pieces.append(piece)
        return answer.status, b"".join(pieces)


def _read(body: bytes, uid: str) -> Verdict:
    try:
        response = orjson.loads(body).get("response")
        if not isinstance(response, dict):
            raise InvalidAnswer("webhook response was absent")
        if response.get("uid") != uid:
            raise InvalidAnswer(f'expected response.uid="{uid}", got "{response.get("uid")}"')
        patch = orjson.loads(base64.b64decode(response["patch"])) if response.get("patch") else None
    except (ValueError, KeyError, TypeError, AttributeError, binascii.Error) as fault:
        raise InvalidAnswer(f"it cannot be read: {fault}") from fault
    if patch is not None and not response.get("patchType"):
        raise InvalidAnswer("webhook returned response.patch but not response.patchType")
    if patch is not None and response["patchType"] != "JSONPatch":
        raise InvalidAnswer(f'invalid value of response.patchType "{response["patchType"]}"')
    if patch is not None and not isinstance(patch, list):
        raise InvalidAnswer("its patch is no list of operations")
    status = response.get("status")
    return Verdict(
        response.get("allowed") is True,
        patch,
        _warnings(response),
        _annotations(response),
        status if isinstance(status, dict) else {},
    )


def _warnings(response: Obj) -> tuple[str, ...]:
    """A webhook's warnings, no more and no longer than headers should be."""
    given = response.get("warnings")
    if not isinstance(given, list):
        return ()
    return tuple(str(text)[:_LONGEST_WARNING] for text in given[:_MOST_WARNINGS])


def _annotations(response: Obj) -> tuple[tuple[str, str], ...]:
    given = response.get("auditAnnotations")
    if not isinstance(given, dict):
        return ()
    return tuple((str(name), str(text)[:_LONGEST_ANNOTATION]) for name, text in given.items())[
        :_MOST_WARNINGS
    ]
