"""Counters and histograms in Prometheus' text form."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator

Labels = tuple[str, ...]


def sample(name: str, labels: dict[str, str], value: float) -> str:
    """One line."""
    shown = ",".join(f'{key}="{_escaped(text)}"' for key, text in labels.items())
    return f"{name}{{{shown}}} {value:g}" if shown else f"{name} {value:g}"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def head(name: str, kind: str, about: str) -> list[str]:
    """What a family of lines begins with."""
    return [f"# HELP {name} {about}", f"# TYPE {name} {kind}"]


class Counter:
    """Numbers that grow, or go up and down (gauge), by labels."""

    def __init__(self, name: str, about: str, labels: Labels, kind: str = "counter") -> None:
        self.name = name
        self._about = about
        self._labels = labels
        self._kind = kind
        self._values: dict[Labels, float] = {}

    def add(self, labels: Labels, by: float = 1) -> None:
        value = self._values.get(labels, 0) + by
        if value or self._kind == "counter":
            self._values[labels] = value
        else:
            self._values.pop(labels, None)

    def value(self, labels: Labels) -> float:
        return self._values.get(labels, 0)

    def lines(self) -> Iterator[str]:
        yield from head(self.name, self._kind, self._about)
        for labels, value in sorted(self._values.items()):
            yield sample(self.name, dict(zip(self._labels, labels, strict=True)), value)


class Histogram:
    """How often a number was at most so large, by labels."""

    def __init__(self, name: str, about: str, labels: Labels, bounds: Iterable[float]) -> None:
        self.name = name
        self._about = about
        self._labels = labels
        self._bounds = tuple(bounds)
        self._counts: dict[Labels, list[int]] = {}
        self._sums: dict[Labels, float] = {}

    def observe(self, labels: Labels, value: float) -> None:
        counts = self._counts.get(labels)
        if counts is None:
            counts = self._counts[labels] = [0] * (len(self._bounds) + 1)
        counts[bisect_left(self._bounds, value)] += 1
        self._sums[labels] = self._sums.get(labels, 0.0) + value

    def lines(self) -> Iterator[str]:
        yield from head(self.name, "histogram", self._about)
        for labels, counts in sorted(self._counts.items()):
            named = dict(zip(self._labels, labels, strict=True))
            total = 0
            for bound, count in zip((*self._bounds, None), counts, strict=True):
                total += count
                shown = "+Inf" if bound is None else f"{bound:g}"
                yield sample(f"{self.name}_bucket", {**named, "le": shown}, total)
            yield sample(f"{self.name}_sum", named, self._sums[labels])
            yield sample(f"{self.name}_count", named, total)
