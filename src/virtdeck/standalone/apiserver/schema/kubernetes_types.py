"""The types of Kubernetes' own kinds: which fields they have, which of them must be there.

The data beside this module holds facts alone. A field has as its type a letter (``s`` string, ``i`` integer,
``b`` boolean, ``f`` number, ``t`` time, ``y`` base64, ``q`` quantity, ``n`` number or text, ``o`` anything),
``[x]`` a list or ``{x}`` a map of x, or another type's name. A ``!`` after the field's name says that it must
be there.
"""

from functools import cache
from importlib import resources
from typing import Any

import orjson


@cache
def all_types() -> dict[str, dict[str, str]]:
    """Every type: field name (with ``!`` when required) to field type."""
    data = resources.files(__package__).joinpath("kubernetes_types.json").read_bytes()
    types: dict[str, dict[str, str]] = orjson.loads(data)
    return types


@cache
def fields_of(type_name: str) -> dict[str, str]:
    """The type's fields by name."""
    return {name.rstrip("!"): kind for name, kind in all_types()[type_name].items()}


@cache
def required_of(type_name: str) -> tuple[str, ...]:
    """The names of the fields that must be there."""
    return tuple(name[:-1] for name in all_types()[type_name] if name.endswith("!"))


def is_type(kind: str) -> bool:
    """Whether a field's type is one with fields of its own."""
    return "." in kind


def item_type(kind: str) -> str:
    """What a list or map holds."""
    return kind[1:-1]


def type_or_none(type_name: str) -> dict[str, Any] | None:
    """The type's fields, None if there is no such type."""
    return fields_of(type_name) if type_name in all_types() else None
