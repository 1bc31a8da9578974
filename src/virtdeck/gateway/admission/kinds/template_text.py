"""Text with parameters: what ``${NAME}`` and ``${{NAME}}`` stand for, and what generated values look like."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

_NAME = r"([a-zA-Z0-9_]+)"
_TEXT = re.compile(r"\$\{" + _NAME + r"\}")
_VALUE = re.compile(r"\$\{\{" + _NAME + r"\}\}")
_CLASS = re.compile(r"\[([a-zA-Z0-9\-\\]+)\]\{(\w+)\}")
_PART = re.compile(r"\\[wdaA]|.-.|[a-zA-Z0-9]+")
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_ORDER = _LETTERS + "0123456789"
_CLASSES = {
    r"\w": _ORDER + "_",
    r"\d": "0123456789",
    r"\a": _ORDER,
    r"\A": "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~",
}
_LONGEST = 255

Path = tuple[str | int, ...]


def references(value: Any, path: Path = ()) -> Iterator[tuple[Path, str]]:
    """Where a value stands for which parameters; a key's are those of its object."""
    if isinstance(value, str):
        whole = _VALUE.fullmatch(value)
        for name in [whole[1]] if whole else _TEXT.findall(value):
            yield path, name
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from references(key, path)
            yield from references(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from references(item, (*path, index))


def filled(value: Any, values: Mapping[str, str]) -> Any:
    """The value with every parameter in its place; ``values`` has all of them."""
    if isinstance(value, str):
        whole = _VALUE.fullmatch(value)
        return _plain(values[whole[1]]) if whole else _text(value, values)
    if isinstance(value, dict):
        return {_text(key, values): filled(item, values) for key, item in value.items()}
    if isinstance(value, list):
        return [filled(item, values) for item in value]
    return value


def sample(pattern: str) -> str:
    """A value that ``generate: expression`` could make, always the same. Raises: ValueError, saying why."""
    return _CLASS.sub(lambda found: max(_alphabet(found[1])) * _length(found[2]), pattern)


def _text(value: str, values: Mapping[str, str]) -> str:
    return _TEXT.sub(lambda found: values[found[1]], value)


def _plain(text: str) -> Any:
    """What the text is as JSON; else the text itself, as a name without quotation marks."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def _length(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= _LONGEST:
        raise ValueError(f"{{{text}}} must be a number of characters from 1 to {_LONGEST}")
    return int(text)


def _alphabet(text: str) -> str:
    found = "".join(_characters(part) for part in _PART.findall(text))
    if not found:
        raise ValueError(f"[{text}] must have characters in it, as [a-z0-9]")
    return found


def _characters(part: str) -> str:
    if part in _CLASSES:
        return _CLASSES[part]
    if "-" not in part:
        return part
    first, last = _ORDER.find(part[0]), _ORDER.find(part[2])
    if first < 0 or last < first:
        raise ValueError(f"{part} must go from a letter or digit to a later one: a-z, then A-Z, then 0-9")
    return _ORDER[first : last + 1]
