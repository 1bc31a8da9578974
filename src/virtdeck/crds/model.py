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
