"""A body becomes an object of its resource: the right kind and place, known fields, well-formed metadata."""

from typing import Any

from virtdeck.basis.errors import Cause, Invalid
from virtdeck.crds.names import invalid_value
from virtdeck.standalone.apiserver.objects.metadata import causes_of_shape
from virtdeck.standalone.apiserver.problems import StatusError, bad_request, invalid
from virtdeck.standalone.apiserver.resources.resource import Resource
from virtdeck.standalone.apiserver.schema.kubernetes_types import fields_of
from virtdeck.standalone.apiserver.schema.quantities import canonicalise
from virtdeck.standalone.apiserver.schema.structural import prune_root
from virtdeck.standalone.apiserver.schema.typed import Mismatch, drop_unknown
from virtdeck.standalone.apiserver.verbs.attributes import Attributes

Obj = dict[str, Any]


class Undecodable(StatusError):
    """400: what was sent is no object of its kind."""


def _undecodable(message: str) -> StatusError:
    return Undecodable(message, "BadRequest", 400)


def settle_object(obj: Obj, attributes: Attributes) -> Obj:
    """The object is of its resource's type and place; unknown fields are gone, told or refused.

    Raises: StatusError 400, 422.
    """
    resource = attributes.resource
    _settle_type(obj, resource)
    meta = obj.setdefault("metadata", {})
    if meta is None:
        meta = obj["metadata"] = {}
    if causes := causes_of_shape(meta):
        raise _misshapen(obj, resource, causes)
    _settle_place(meta, attributes)
    unknown = _lose_unknown(obj, resource)
    if unknown and attributes.settled and not resource.is_custom:
        raise bad_request(f"failed to create typed patch object: .{unknown[0]}: field not declared in schema")
    _tell_unknown(unknown, attributes)
    return obj


def _settle_type(obj: Obj, resource: Resource) -> None:
    kind, api_version = obj.get("kind"), obj.get("apiVersion")
    if not kind and resource.is_custom:
        raise bad_request("Object 'Kind' is missing in the request body")
    api_version, kind = str(api_version or resource.api_version), str(kind or resource.kind)
    if resource.is_custom:
        _require_custom(api_version, kind, obj, resource)
    elif (api_version, kind) != (resource.api_version, resource.kind):
        raise _undecodable(
            f'{kind} in version "{api_version.rpartition("/")[2]}" cannot be handled as a {resource.kind}: '
            f'no kind "{kind}" is registered for version "{api_version}" here'
        )
    obj["apiVersion"], obj["kind"] = resource.api_version, resource.kind


def _require_custom(api_version: str, kind: str, obj: Obj, resource: Resource) -> None:
    if api_version != resource.api_version:
        raise bad_request(
            f"the API version in the data ({api_version}) does not match the expected API version "
            f"({resource.api_version})"
        )
    if kind != resource.kind:
        meta = obj.get("metadata")
        name = str(meta.get("name") or "") if isinstance(meta, dict) else ""
        cause = invalid_value("kind", kind, f"must be {resource.kind}")
        raise invalid(kind, resource.group, name, [cause])


def _misshapen(obj: Obj, resource: Resource, causes: list[Cause]) -> StatusError:
    meta = obj["metadata"]
    name = meta.get("name") if isinstance(meta, dict) else ""
    if resource.is_custom:
        return invalid(resource.kind, resource.group, str(name or ""), causes)
    return _undecodable(
        f'{resource.kind} in version "{resource.version}" cannot be handled as a {resource.kind}: '
        f"{causes[0].field}: {causes[0].message}"
    )


def _settle_place(meta: Obj, attributes: Attributes) -> None:
    wanted = attributes.name
    if wanted and meta.setdefault("name", wanted) != wanted:
        raise bad_request(
            f"the name of the object ({meta['name']}) does not match the name on the URL ({wanted})"
        )
    if not attributes.resource.namespaced:
        return
    if not meta.get("namespace"):
        meta["namespace"] = attributes.namespace
    elif meta["namespace"] != attributes.namespace and attributes.operation == "CREATE":
        raise bad_request(
            "the namespace of the provided object does not match the namespace sent on the request"
        )
    elif meta["namespace"] != attributes.namespace:
        raise bad_request(
            f"the namespace of the object ({meta['namespace']}) does not match the namespace on the request "
            f"({attributes.namespace})"
        )


def _lose_unknown(obj: Obj, resource: Resource) -> list[str]:
    if resource.schema is not None:
        known = fields_of("meta.v1.ObjectMeta")
        lost = [f"metadata.{name}" for name in obj["metadata"] if name not in known]
        for name in lost:
            del obj["metadata"][name.removeprefix("metadata.")]
        return lost + prune_root(obj, resource.schema)
    try:
        unknown = drop_unknown(obj, resource.type_name)
        canonicalise(obj, resource.type_name)
        return unknown
    except (Mismatch, Invalid) as fault:
        raise _undecodable(
            f'{resource.kind} in version "{resource.version}" cannot be handled as a {resource.kind}: {fault}'
        ) from fault


def _tell_unknown(unknown: list[str], attributes: Attributes) -> None:
    if attributes.strictness == "Ignore" or not (unknown or attributes.doubled):
        return
    texts = [f'duplicate field "{path}"' for path in attributes.doubled]
    texts += [f'unknown field "{path}"' for path in unknown]
    if attributes.strictness == "Warn":
        for text in texts:
            attributes.warn(text)
        return
    resource = attributes.resource
    raise bad_request(
        f'{resource.kind} in version "{resource.version}" cannot be handled as a {resource.kind}: '
        f"strict decoding error: {', '.join(texts)}"
    )
