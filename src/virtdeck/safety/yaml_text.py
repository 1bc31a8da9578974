"""YAML that somebody typed: bounded before anything is built of it."""

from collections.abc import Iterator
from typing import Any

import yaml

from virtdeck.basis.errors import Cause, Invalid

# Deeper than any manifest, far from Python's own limit on recursion.
MOST_NESTED = 128
_BASE: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_TIMESTAMP = "tag:yaml.org,2002:timestamp"


class _PlainLoader(_BASE):  # type: ignore[misc]
    """A safe loader of JSON's types: dates stay the texts that they are."""

    yaml_implicit_resolvers = {  # noqa: RUF012 (PyYAML's way)
        first: [(tag, shape) for tag, shape in found if tag != _TIMESTAMP]
        for first, found in _BASE.yaml_implicit_resolvers.items()
    }


def read_documents(text: str) -> list[Any]:
    """What the documents hold, in JSON's types alone; empty ones are left out.

    Aliases are refused: nine lines of them stand for a thousand million values.
    Raises: Invalid, naming the line.
    """
    try:
        _check_events(text)
        found = list(yaml.load_all(text, Loader=_PlainLoader))
        return [_plain(one) for one in found if one is not None]
    except yaml.MarkedYAMLError as fault:
        # What is missing at the end is missed behind the last line.
        line = min(_line(fault.problem_mark), len(text.splitlines()))
        raise _wrong(line, str(fault.problem or fault)) from fault
    except (yaml.YAMLError, ValueError, OverflowError, RecursionError) as fault:
        raise Invalid(f"this is not YAML: {fault}") from fault


def compose(text: str) -> Any:
    """The tree of a text that ``read_documents`` has taken, with the lines of its nodes; None without one."""
    try:
        return yaml.compose(text, Loader=_PlainLoader)
    except yaml.YAMLError:
        return None


def _check_events(text: str) -> None:
    depth = 0
    events: Iterator[Any] = yaml.parse(text, Loader=_PlainLoader)
    for event in events:
        if isinstance(event, yaml.AliasEvent):
            raise _wrong(_line(event.start_mark), "aliases are not taken; write the value out")
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > MOST_NESTED:
            raise _wrong(_line(event.start_mark), f"nested deeper than {MOST_NESTED} levels")


def _line(mark: Any) -> int:
    return int(mark.line) + 1 if mark else 0


def _plain(value: Any) -> Any:
    """The value as JSON can have it. Raises: ValueError for what it cannot."""
    if isinstance(value, dict):
        return {_key(name): _plain(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, int) and not -(1 << 63) <= value < 1 << 64:
        raise ValueError("a number is too large")
    if value is None or isinstance(value, str | int | float):
        return value
    raise ValueError(f"JSON has no values of type {type(value).__name__}")


def _key(name: Any) -> str:
    """Numbers and booleans as keys become the texts that JSON needs (``on`` is ``true`` in YAML 1.1)."""
    if isinstance(name, bool):
        return "true" if name else "false"
    return "null" if name is None else str(name)


def _wrong(line: int, problem: str) -> Invalid:
    return Invalid(f"line {line}: {problem}", causes=(Cause(f"line {line}", problem),))
