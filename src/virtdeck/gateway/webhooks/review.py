"""AdmissionReview, version 1, to values and back."""

import base64
import json
from dataclasses import dataclass
from typing import Any

import msgspec
import orjson

from virtdeck.basis.errors import Cause, Invalid
from virtdeck.gateway.auth.user import User, make_user
from virtdeck.serving.status import status

Plain = dict[str, Any]

_NAMED_CAUSES = 10  # in the message; all of them stand in the details

MOST_OBJECT_BYTES = (
    1536 * 1024
)  # what etcd takes in one request, so that what is let in can be changed anywhere
MOST_REVIEW_BYTES = 2 * MOST_OBJECT_BYTES + 256 * 1024  # an object, what it replaces, and who writes it
TOO_DEEP = "the object is nested more deeply than any object of Kubernetes"
_NULL = (b"", b"null")


@dataclass(frozen=True)
class Review:
    """One write that the API server asks about. obj, old: as JSON has them, None when there is none."""

    uid: str
    operation: str
    user: User
    obj: Plain | None
    old: Plain | None
    name: str
    namespace: str
    kind: str
    group: str
    subresource: str = ""
    dry_run: bool = False
    unfit: str = ""
    """Why the object was not even read; then there is none."""


@dataclass(frozen=True)
class Outcome:
    """What the API server is answered. obj: the object as it is to be stored, if it is to be changed.

    forbidden, later: why causes refuse; neither of them: the object is wrong.
    """

    causes: tuple[Cause, ...] = ()
    warnings: tuple[str, ...] = ()
    forbidden: bool = False
    obj: Plain | None = None
    later: bool = False


class _Kind(msgspec.Struct):
    group: str = ""
    version: str = ""
    kind: str = ""


class _UserInfo(msgspec.Struct):
    username: str = ""
    uid: str = ""
    groups: tuple[str, ...] = ()
    extra: dict[str, tuple[str, ...]] = {}


class _Request(msgspec.Struct, rename="camel"):
    uid: str
    operation: str
    kind: _Kind
    user_info: _UserInfo = msgspec.field(default_factory=_UserInfo)
    object: msgspec.Raw = msgspec.Raw()
    old_object: msgspec.Raw = msgspec.Raw()
    name: str = ""
    namespace: str = ""
    sub_resource: str = ""
    dry_run: bool = False


class _Review(msgspec.Struct, rename="camel"):
    api_version: str
    kind: str
    request: _Request


_decoder = msgspec.json.Decoder(_Review)
_objects = msgspec.json.Decoder(dict[str, Any])


def decode_review(body: bytes) -> Review:
    """The write that is asked about. Raises: Invalid when this is no AdmissionReview."""
    try:
        found = _decoder.decode(body)
    except (msgspec.DecodeError, RecursionError) as fault:
        raise Invalid(f"this is not an AdmissionReview: {fault}") from fault
    if (found.api_version, found.kind) != ("admission.k8s.io/v1", "AdmissionReview"):
        raise Invalid(f"{found.api_version} {found.kind} is not an AdmissionReview of admission.k8s.io/v1")
    asked, who = found.request, found.request.user_info
    obj, unfit = _read(asked.object)
    old, _ = _read(asked.old_object)
    return Review(
        uid=asked.uid,
        operation=asked.operation,
        user=make_user(who.username, who.groups, who.uid, who.extra),
        obj=obj,
        old=old,
        name=asked.name,
        namespace=asked.namespace,
        kind=asked.kind.kind,
        group=asked.kind.group,
        subresource=asked.sub_resource,
        dry_run=asked.dry_run,
        unfit=unfit,
    )


def _read(raw: msgspec.Raw) -> tuple[Plain | None, str]:
    """The object, or why it is not read. Raises: Invalid when it is none."""
    size = len(raw)
    if size > MOST_OBJECT_BYTES:
        return None, f"the object has {size} bytes; at most {MOST_OBJECT_BYTES} can be stored"
    try:
        return (None if bytes(raw) in _NULL else _objects.decode(raw)), ""
    except msgspec.DecodeError as fault:
        raise Invalid(f"the object of the AdmissionReview cannot be read: {fault}") from fault


def encode_outcome(review: Review, outcome: Outcome, patch: list[Plain]) -> bytes:
    """The AdmissionReview to answer with."""
    response: Plain = {"uid": review.uid, "allowed": not outcome.causes}
    if outcome.causes:
        response["status"] = _refusal(review, outcome)
    elif patch:
        response |= {"patchType": "JSONPatch", "patch": base64.b64encode(_encoded(patch)).decode()}
    if outcome.warnings:
        response["warnings"] = list(outcome.warnings)
    return _encoded({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "response": response})


def _encoded(value: Any) -> bytes:
    """The value as JSON, with numbers and texts too that are in JSON and in nothing else."""
    try:
        return orjson.dumps(value)
    except TypeError:
        return json.dumps(value).encode()


def _refusal(review: Review, outcome: Outcome) -> Plain:
    details = {
        "name": review.name,
        "group": review.group,
        "kind": review.kind,
        "causes": [
            {"reason": cause.reason, "message": cause.message, "field": cause.field}
            for cause in outcome.causes
        ],
    }
    code, reason = (403, "Forbidden") if outcome.forbidden else (422, "Invalid")
    if outcome.later:
        code, reason = 429, "TooManyRequests"
    return status(code, _message(outcome.causes), reason=reason, details=details)


def _message(causes: tuple[Cause, ...]) -> str:
    """The first causes with their fields, and how many more there are."""
    said = ", ".join(
        f"{cause.field}: {cause.message}" if cause.field else cause.message
        for cause in causes[:_NAMED_CAUSES]
    )
    more = len(causes) - _NAMED_CAUSES
    return f"{said}, and {more} more" if more > 0 else said
