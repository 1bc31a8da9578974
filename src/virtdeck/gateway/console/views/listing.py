"""One page of the list of machines: what is asked for, what fits, in which order."""

import heapq
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from virtdeck.gateway.console.views.machine import Machine

PAGE_SIZES = (50, 100, 200)
STATUS_GROUPS: dict[str, Callable[[Machine], bool]] = {
    "running": lambda machine: machine.state.kind == "good",
    "stopped": lambda machine: machine.state.kind == "idle",
    "paused": lambda machine: machine.state.key == "Paused",
    "busy": lambda machine: machine.state.kind == "busy",
    "failed": lambda machine: machine.state.kind == "bad",
}
SORTS: dict[str, Callable[[Machine], Any]] = {
    "name": lambda machine: (machine.name, machine.namespace),
    "namespace": lambda machine: (machine.namespace, machine.name),
    "status": lambda machine: (machine.state.key, machine.namespace, machine.name),
    "node": lambda machine: (machine.node, machine.namespace, machine.name),
    "cpu": lambda machine: (machine.vcpus, machine.namespace, machine.name),
    "memory": lambda machine: (machine.memory, machine.namespace, machine.name),
    "age": lambda machine: (
        -(machine.created.timestamp() if machine.created else 0),
        machine.namespace,
        machine.name,
    ),
}


@dataclass(frozen=True)
class Query:
    """What the list's URL asks for; what it does not know it leaves out."""

    q: str = ""
    ns: str = ""
    status: str = ""
    label: str = ""
    node: str = ""
    sort: str = "name"
    page: int = 1
    size: int = PAGE_SIZES[0]

    @classmethod
    def parse(cls, params: Mapping[str, str]) -> "Query":
        """The query in the URL's parameters; nonsense becomes the default."""
        sort = params.get("sort", "name")
        return cls(
            q=params.get("q", "").strip()[:200],
            ns=params.get("ns", "")[:63],
            status=params.get("status", "") if params.get("status", "") in STATUS_GROUPS else "",
            label=params.get("label", "").strip()[:300],
            node=params.get("node", "")[:253],
            sort=sort if sort.removeprefix("-") in SORTS else "name",
            page=whole(params.get("page", ""), 1),
            size=whole(params.get("size", ""), 0)
            if whole(params.get("size", ""), 0) in PAGE_SIZES
            else PAGE_SIZES[0],
        )

    def url(self, **changes: object) -> str:
        """The list with these changes; another filter or order begins on page one."""
        wanted = replace(self, **({"page": 1} | changes))  # type: ignore[arg-type]
        empty = Query()
        said = {
            name: str(getattr(wanted, name))
            for name in ("ns", "q", "status", "label", "node", "sort", "page", "size")
            if getattr(wanted, name) != getattr(empty, name)
        }
        return "/vms" + ("?" + urlencode(said) if said else "")

    @property
    def filtered(self) -> bool:
        """Something narrows the list, apart from the project."""
        return bool(self.q or self.status or self.label or self.node)


@dataclass(frozen=True)
class Page:
    """One page of machines and where it lies in the whole."""

    machines: tuple[Machine, ...]
    total: int
    first: int
    last: int
    before: str
    after: str


def whole(text: str, otherwise: int) -> int:
    """The positive number that the text is, if it is one."""
    return (
        int(text) if text.isascii() and text.isdigit() and 0 < len(text) < 7 and int(text) > 0 else otherwise
    )


def wanted_labels(text: str) -> tuple[tuple[str, str | None], ...]:
    """``app=web,tier`` as pairs; a name without a value asks that the label be there."""
    pairs = (part.partition("=") for part in text.split(",") if part.strip())
    return tuple((name.strip(), value.strip() if equals else None) for name, equals, value in pairs)


def fits(query: Query) -> Callable[[Machine], bool]:
    """Whether a machine is in the list; every word of ``q`` must be found somewhere."""
    words = query.q.casefold().split()
    labels = wanted_labels(query.label)
    in_group = STATUS_GROUPS.get(query.status)

    def check(machine: Machine) -> bool:
        if query.ns and machine.namespace != query.ns:
            return False
        if in_group is not None and not in_group(machine):
            return False
        if query.node and machine.node != query.node:
            return False
        if labels and not has_labels(machine, labels):
            return False
        if not words:
            return True
        text = " ".join(
            (machine.name, machine.namespace, machine.node, *machine.addresses, machine.guest_os)
        ).casefold()
        return all(word in text for word in words)

    return check


def has_labels(machine: Machine, labels: tuple[tuple[str, str | None], ...]) -> bool:
    """Every wanted label is there, with its value if one is named."""
    own = dict(machine.labels)
    return all(name in own and value in (None, own[name]) for name, value in labels)


def select(machines: Iterable[Machine], query: Query) -> Page:
    """The page that the query asks for, or the last one if it asks for more; only that page is sorted out."""
    fitting = list(filter(fits(query), machines))
    total = len(fitting)
    pages = max(1, -(-total // query.size))
    page = min(query.page, pages)
    first = (page - 1) * query.size
    ordered = order(fitting, query.sort, first + query.size)
    shown = tuple(ordered[first : first + query.size])
    return Page(
        machines=shown,
        total=total,
        first=first + 1 if shown else 0,
        last=first + len(shown),
        before=query.url(page=page - 1) if page > 1 else "",
        after=query.url(page=page + 1) if page < pages else "",
    )


def order(machines: list[Machine], sort: str, count: int) -> list[Machine]:
    """The first ``count`` machines in the order; a short beginning of a long list is cheaper to find."""
    key = SORTS[sort.removeprefix("-")]
    falling = sort.startswith("-")
    if count * 8 < len(machines):
        pick = heapq.nlargest if falling else heapq.nsmallest
        return pick(count, machines, key=key)
    return sorted(machines, key=key, reverse=falling)


def counts(machines: Iterable[Machine]) -> dict[str, int]:
    """How many machines are in each group of states, and in all."""
    found = dict.fromkeys(("all", *STATUS_GROUPS), 0)
    for machine in machines:
        found["all"] += 1
        for name, belongs in STATUS_GROUPS.items():
            if belongs(machine):
                found[name] += 1
    return found
