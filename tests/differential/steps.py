"""The script as values: what one step asks, parsed from the YAML files of script/ (pure)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, TypeVar

import yaml

S = TypeVar("S", bound="Step")
SCRIPT = Path(__file__).parent / "script"
_METHODS = ("get", "post", "put", "patch", "delete", "head", "options")
_PATCHES = {
    "json": "application/json-patch+json",
    "merge": "application/merge-patch+json",
    "strategic": "application/strategic-merge-patch+json",
    "apply": "application/apply-patch+yaml",
}


@dataclass(frozen=True)
class Step:
    """What every step has: its name, and what of its answer later steps and the comparison use.

    keep: variable to the path of its value. until: path to the value that ends repeating the step.
    only: the paths that are compared, all when empty.
    """

    name: str
    keep: Mapping[str, str] = field(default_factory=dict)
    until: Mapping[str, Any] = field(default_factory=dict)
    only: tuple[str, ...] = ()


@dataclass(frozen=True)
class Request(Step):
    """One HTTP request. body goes as JSON, raw as it is. user: the certificate shown, empty for none."""

    method: str = "GET"
    path: str = ""
    body: Any = None
    raw: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    user: str = "admin"
    bearer: str = ""


@dataclass(frozen=True)
class Watch(Request):
    """Events of a watch, while other steps happen. events: how many are waited for."""

    during: tuple[Request, ...] = ()
    events: int = 0


@dataclass(frozen=True)
class Kubectl(Step):
    """One command line of kubectl."""

    arguments: str = ""
    stdin: str = ""


@dataclass(frozen=True)
class Asked(Step):
    """What the extension was asked at a path since the last such step. answer: its words from now on."""

    path: str = ""
    answer: Any = None


@dataclass(frozen=True)
class Area:
    """One file of the script. users: certificates by user name, with their groups.

    each_kubectl: the whole area is played once for every version of kubectl.
    """

    name: str
    steps: tuple[Step, ...]
    users: Mapping[str, tuple[str, ...]]
    each_kubectl: bool


def read_areas(folder: Path = SCRIPT) -> tuple[Area, ...]:
    """Every area, by name."""
    return tuple(parse_area(path.stem, path.read_text()) for path in sorted(folder.glob("*.yaml")))


def parse_area(name: str, text: str) -> Area:
    """Raises: ValueError for a step that says what no step has, or a name that two steps have."""
    found = yaml.safe_load(text)
    steps = tuple(parse_step(step) for step in found["steps"])
    names = [step.name for step in steps]
    if twice := {name for name in names if names.count(name) > 1}:
        raise ValueError(f"{name}: steps with the same name: {sorted(twice)}")
    users = {user: tuple(groups or ()) for user, groups in found.get("users", {}).items()}
    return Area(name, steps, users, bool(found.get("each_kubectl")))


def parse_step(found: Mapping[str, Any]) -> Step:
    """One step; the key that names its action decides what it is."""
    rest = {key: value for key, value in found.items() if key != "step"}
    common: dict[str, Any] = {"name": found["step"]}
    common |= {key: rest.pop(key) for key in ("keep", "until") if key in rest}
    common["only"] = tuple(rest.pop("only", ()))
    if "kubectl" in rest:
        return _made(Kubectl, common, rest, arguments=rest.pop("kubectl"))
    if "asked" in rest:
        return _made(Asked, common, rest, path=rest.pop("asked"))
    if "watch" in rest:
        during = tuple(_requests(rest.pop("while", ())))
        return _made(Watch, common, rest, path=rest.pop("watch"), during=during)
    return _request(common, rest)


def _requests(found: Any) -> Iterator[Request]:
    for number, step in enumerate(found):
        made = parse_step({"step": str(number), **step})
        if not isinstance(made, Request):
            raise ValueError(f"only requests can happen during a watch: {step}")
        yield made


def _request(common: dict[str, Any], rest: dict[str, Any]) -> Request:
    [method] = [key for key in _METHODS if key in rest]
    path = rest.pop(method)
    headers = dict(rest.pop("headers", {}))
    if accept := rest.pop("accept", None):
        headers["Accept"] = accept
    if kind := rest.pop("type", None):
        headers["Content-Type"] = _PATCHES.get(kind, kind)
    if "as" in rest:
        rest["user"] = rest.pop("as")
    return _made(Request, common, rest, method=method.upper(), path=path, headers=headers)


def _made(kind: type[S], common: dict[str, Any], rest: dict[str, Any], **known: Any) -> S:
    known_names = {one.name for one in fields(kind)}
    if unknown := rest.keys() - known_names:
        raise ValueError(f"step {common['name']!r} says {sorted(unknown)}, which nothing reads")
    return kind(**common, **known, **rest)
