"""What a change changes: a list of fields for people, and the text of both sides."""

import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import yaml

SERVERS_OWN = ("managedFields", "resourceVersion", "generation", "uid", "creationTimestamp", "selfLink")


@dataclass(frozen=True)
class FieldChange:
    """One field that differs; None stands for a field that is not there."""

    path: str
    before: str | None
    after: str | None


class _Plain(yaml.SafeDumper):
    """Texts of several lines are written as blocks, as people write them."""


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None)


_Plain.add_representer(str, _text)


def to_yaml(value: Any) -> str:
    """The value as YAML in the order it has."""
    return yaml.dump(value, Dumper=_Plain, sort_keys=False, allow_unicode=True, width=110)


def editable(obj: dict[str, Any], *, keep_version: bool = True) -> dict[str, Any]:
    """The object without what the server writes itself; the version stays, for it guards the edit."""
    dropped = set(SERVERS_OWN) - ({"resourceVersion"} if keep_version else set())
    meta = {name: value for name, value in (obj.get("metadata") or {}).items() if name not in dropped}
    first = {name: obj[name] for name in ("apiVersion", "kind") if name in obj}
    rest = {
        name: value for name, value in obj.items() if name not in ("apiVersion", "kind", "metadata", "status")
    }
    return first | {"metadata": meta} | rest


def flat(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Every leaf with its path as Kubernetes writes it; list items that have a name are found by it."""
    if isinstance(value, dict) and value:
        for name, one in value.items():
            yield from flat(one, f"{path}.{name}" if path else str(name))
    elif isinstance(value, list) and value:
        for index, one in enumerate(value):
            name = one.get("name") if isinstance(one, dict) else None
            yield from flat(one, f"{path}[{name or index}]")
    else:
        yield path, "{}" if value == {} else "[]" if value == [] else str(value)


def field_changes(before: dict[str, Any], after: dict[str, Any]) -> tuple[FieldChange, ...]:
    """The fields that differ, what the server writes itself aside."""
    old = dict(flat(editable(before, keep_version=False)))
    new = dict(flat(editable(after, keep_version=False)))
    paths = [
        path for path in (*old, *(path for path in new if path not in old)) if old.get(path) != new.get(path)
    ]
    return tuple(FieldChange(path, old.get(path), new.get(path)) for path in paths)


def unified(before: str, after: str) -> tuple[str, ...]:
    """The lines that differ with three around them."""
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=3)
    return tuple(line for line in lines if not line.startswith(("---", "+++")))


def effect(changes: tuple[FieldChange, ...]) -> str:
    """When the change is felt: "restart" if it touches the template, else "live"; "" if nothing changes."""
    if not changes:
        return ""
    return "restart" if any(change.path.startswith("spec.template.spec") for change in changes) else "live"
