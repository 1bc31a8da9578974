"""Copies of plain JSON, many times faster than ``deepcopy``: JSON has no cycles."""

from typing import Any, TypeVar, cast

import orjson

T = TypeVar("T")

_AS_IT_IS = (
    orjson.OPT_PASSTHROUGH_SUBCLASS | orjson.OPT_PASSTHROUGH_DATETIME | orjson.OPT_PASSTHROUGH_DATACLASS
)


def copied(value: T) -> T:
    """The value with objects and lists of its own."""
    try:
        made: T = orjson.loads(orjson.dumps(value, option=_AS_IT_IS))
    except TypeError:  # numbers, texts and depths that are JSON and more than this encoder takes
        return _copied(value)
    return made


def _copied(value: T) -> T:
    made: Any = value
    if isinstance(value, dict):
        made = {key: _copied(item) if isinstance(item, dict | list) else item for key, item in value.items()}
    elif isinstance(value, list):
        made = [_copied(item) if isinstance(item, dict | list) else item for item in value]
    return cast(T, made)
