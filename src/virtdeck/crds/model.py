"""The root of all API types, and how a field says what it means."""

from msgspec import Meta, Struct


class Model(Struct, frozen=True, kw_only=True, omit_defaults=True, rename="camel"):
    """A value with Kubernetes' JSON spelling; what was not given stays absent when encoded again."""


def doc(text: str) -> Meta:
    """The field's description, shown by ``kubectl explain`` and in the façade's OpenAPI."""
    return Meta(description=text)


def one_of(*values: str) -> Meta:
    """The values that the API server lets through.

    Decoding does not check them: a component must not fall over an object that a newer release wrote.
    """
    return Meta(extra_json_schema={"enum": list(values)})


def default(value: object) -> Meta:
    """The value that the API server writes into an object that leaves the field out."""
    return Meta(extra_json_schema={"default": value})


def rule(expression: str, message: str) -> Meta:
    """A CEL expression over ``self`` (and ``oldSelf``) that the API server holds every write to.

    message: what the author is told; one sentence that says what is allowed.
    """
    return Meta(extra_json_schema={"x-kubernetes-validations": [{"rule": expression, "message": message}]})


def keyed_by(*keys: str) -> Meta:
    """The list is a map: server-side apply merges its entries by these fields, which must be unique."""
    return Meta(extra_json_schema={"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": list(keys)})


def unordered() -> Meta:
    """The list is a set: server-side apply merges its values, which must be unique scalars."""
    return Meta(extra_json_schema={"x-kubernetes-list-type": "set"})


def whole() -> Meta:
    """The list has one owner: server-side apply replaces all of it."""
    return Meta(extra_json_schema={"x-kubernetes-list-type": "atomic"})
