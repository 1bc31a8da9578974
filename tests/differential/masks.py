"""What two servers cannot say alike is replaced by what it is: times, uids, versions, tokens (pure)."""

import re
from collections.abc import Mapping
from typing import Any

_UID = re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b")
_TIME = re.compile(r"\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?( ?\+0000 UTC|Z|[+-]\d\d:\d\d)( m=\S+)?")
_DATE = re.compile(r"(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d \w{3} \d{4} \d\d:\d\d:\d\d (\+0000|GMT|UTC)")
_POINTER = re.compile(r"\b0xc0[0-9a-f]{8}\b")
_VERSION = re.compile(r"(?<=resourceVersion: \")\d+|(?<=current: )\d+|(?<=ResourceVersion in record \()\d+")
_JWT = re.compile(r"eyJ[\w-]+\.[\w-]+\.[\w-]+")
_AGE = re.compile(r"(?<![\w.:/-])(\d+[smhd])+(?![\w.:/-])")
_GENERATED = 5  # characters that a server adds to generateName
# Shorter values are only recognised where they stand alone.
_SAFE_INSIDE = 8
_MANAGER = ("manager", "operation", "subresource", "apiVersion")
_SMALLEST_PORT = 10_000


class Masks:
    """known: values that the script kept, shown by their variable's name."""

    def __init__(self, known: Mapping[str, str]) -> None:
        pairs = sorted(known.items(), key=lambda pair: -len(pair[1]))
        self._whole = {value: f"<{name}>" for name, value in reversed(pairs)}
        self._inside = [(value, f"<{name}>") for name, value in pairs if len(value) >= _SAFE_INSIDE]

    def value(self, value: Any, key: str = "") -> Any:
        """The same shape, masked."""
        if isinstance(value, dict):
            found = {self.text(name): self.value(inner, name) for name, inner in value.items()}
            return _in_order(self._generated(found))
        if isinstance(value, list):
            if key == "managedFields" and all(isinstance(one, dict) for one in value):
                # Of one second they are sorted by what no client reads.
                value = sorted(value, key=lambda one: [str(one.get(name)) for name in _MANAGER])
            return [self.value(inner, key) for inner in value]
        if isinstance(value, int) and value >= _SMALLEST_PORT:
            return self._whole.get(str(value), value)
        return self._leaf(value, key) if isinstance(value, str) else value

    def text(self, text: str) -> str:
        """Every changing part of a sentence or a table."""
        for value, name in self._inside:
            text = text.replace(value, name)
        text = _POINTER.sub("<pointer>", _VERSION.sub("<version>", text))
        for pattern, name in ((_JWT, "<token>"), (_UID, "<uid>"), (_TIME, "<time>"), (_DATE, "<time>")):
            text = pattern.sub(name, text)
        return text

    def printed(self, text: str) -> str:
        """What a command printed: ages and widths of columns as well."""
        masked = _AGE.sub("<age>", self.text(text))
        return re.sub(r"(?<=\S)  +", "  ", re.sub(r"[ \t]+$", "", masked, flags=re.MULTILINE))

    def _leaf(self, text: str, key: str) -> str:
        if text in self._whole and (key or len(text) >= _SAFE_INSIDE):
            return self._whole[text]
        if key == "resourceVersion" and text not in {"", "0"}:
            return "<version>"
        if key == "description" or (key == "continue" and text):
            return f"<{key}>"
        if key == "cells" and _AGE.fullmatch(text):
            return "<age>"
        return self.text(text)

    def _generated(self, found: dict[str, Any]) -> dict[str, Any]:
        prefix, name = found.get("generateName"), found.get("name")
        if prefix and isinstance(name, str) and len(name) == len(prefix) + _GENERATED:
            return {**found, "name": f"{prefix}<generated>"}
        return found


def _in_order(found: dict[str, Any]) -> dict[str, Any]:
    """Several causes come in any order, from the real one too: in the list, and in the sentence of them."""
    causes = found.get("causes")
    if isinstance(causes, list):
        return {**found, "causes": sorted(causes, key=_place_of_cause)}
    several = len((found.get("details") or {}).get("causes") or ()) > 1 if "message" in found else False
    if several and isinstance(found["message"], str):
        return {
            **found,
            "message": re.sub(r"(: \[|conflicts: ).*$", r"\1<causes>", found["message"], flags=re.DOTALL),
        }
    return found


def _place_of_cause(cause: Any) -> tuple[str, str]:
    named = cause if isinstance(cause, dict) else {}
    return (str(named.get("field")), str(named.get("message")))
