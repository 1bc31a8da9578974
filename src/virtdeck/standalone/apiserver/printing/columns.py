"""A table's columns and the words that cells are made of."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from virtdeck.basis.clock import parse_rfc3339

Obj = dict[str, Any]
Cells = list[Any]


@dataclass(frozen=True)
class TableColumn:
    """One columnDefinition."""

    name: str
    type: str = "string"
    format: str = ""
    description: str = ""
    priority: int = 0

    def to_dict(self) -> Obj:
        return {
            "name": self.name,
            "type": self.type,
            "format": self.format,
            "description": self.description,
            "priority": self.priority,
        }


@dataclass(frozen=True)
class Printer:
    """Columns, and an object's cells in their order."""

    columns: tuple[TableColumn, ...]
    cells: Callable[[Obj, datetime], Cells]


NAME = TableColumn("Name", format="name", description="The object's name, unique in its namespace")
AGE = TableColumn("Age", description="Time since the object was created")


def age(stamp: Any, now: datetime) -> str:
    """Time since the stamp, as kubectl shows it; ``<unknown>`` without one."""
    if not isinstance(stamp, str) or not stamp:
        return "<unknown>"
    try:
        then = parse_rfc3339(stamp)
    except ValueError:
        return "<invalid>"
    return human_duration(int((now - then).total_seconds()))


def human_duration(seconds: int) -> str:  # noqa: PLR0911 - a table
    """A span of time in one or two units, finer for the young: 119s, 9m5s, 59m, 7h30m, 47h, 7d23h, 1y5d."""
    if seconds < -1:
        return "<invalid>"
    seconds = max(seconds, 0)
    minutes, hours, days = seconds // 60, seconds // 3600, seconds // 86400
    if seconds < 120:
        return f"{seconds}s"
    if minutes < 10:
        return _two(minutes, "m", seconds % 60, "s")
    if minutes < 180:
        return f"{minutes}m"
    if hours < 8:
        return _two(hours, "h", minutes % 60, "m")
    if hours < 48:
        return f"{hours}h"
    if hours < 192:
        return _two(days, "d", hours % 24, "h")
    if days < 730:
        return f"{days}d"
    return _two(days // 365, "y", days % 365, "d") if days < 365 * 8 else f"{days // 365}y"


def _two(big: int, big_unit: str, small: int, small_unit: str) -> str:
    return f"{big}{big_unit}{small}{small_unit}" if small else f"{big}{big_unit}"


def read(obj: Any, path: str, default: Any = None) -> Any:
    """What stands at a dotted path, or the default."""
    for part in path.split("."):
        if not isinstance(obj, dict) or part not in obj:
            return default
        obj = obj[part]
    return default if obj is None else obj


def or_none(value: Any) -> Any:
    """``<none>`` in place of nothing."""
    return value if value not in (None, "", [], {}) else "<none>"
