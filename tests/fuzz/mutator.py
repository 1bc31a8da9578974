"""Seeded damage to bytes and JSON: the same seed makes the same cases on every machine."""

import json
import os
import random
import time
from collections.abc import Callable, Iterator
from typing import Any

# Cases of a target in an ordinary run are multiplied by this; a long lane sets it to 100 and more.
FACTOR = float(os.environ.get("VIRTDECK_FUZZ_FACTOR", "1"))
_MOST_PLACES = 5_000
_LONG = 200
SEED = int(os.environ.get("VIRTDECK_FUZZ_SEED", "20260101"))
LONGEST_SECONDS = 1.0

_BYTES = (
    b"",
    b"\x00",
    b"\xff\xfe",
    b'"',
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b":",
    b"\\u0000",
    b"\\ud800",
    b"1e999",
)
_VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2**31, 2**63, 2**70, -(2**70), 1.5, 1e308, "", "a", "0", "-1", "1e9",
    "9" * 80, "1Gi", "nan", "../../etc/passwd", "a" * 300, "\x00", "\ud800", "é€😀",
    [], {}, [None], [[]], {"": None},
)  # fmt: skip


def cases(count: int, seed: int = SEED) -> Iterator[random.Random]:
    """One source of chance for each case."""
    for number in range(max(1, int(count * FACTOR))):
        yield random.Random(seed * 1_000_003 + number)


def damaged_bytes(chance: random.Random, given: bytes) -> bytes:
    """The bytes with a few changes: cut, doubled, swapped, overwritten."""
    found = bytearray(given)
    for _ in range(chance.randint(1, 4)):
        start = chance.randrange(len(found) + 1)
        end = min(len(found), start + chance.choice((0, 1, 2, 8, 64, 512)))
        match chance.randrange(4):
            case 0:
                del found[start:end]
            case 1:
                found[start:start] = found[start:end] * chance.choice((1, 2, 20))
            case 2:
                found[start:end] = chance.choice(_BYTES)
            case _:
                found[start:end] = bytes(chance.randrange(256) for _ in range(end - start))
    return bytes(found)


def damaged_json(chance: random.Random, given: Any) -> Any:
    """A copy with a few values replaced, taken away, put elsewhere or repeated."""
    found = _copy(given)
    for _ in range(chance.randint(1, 5)):
        places = list(_places(found))
        if not places or len(places) > _MOST_PLACES:
            break
        parent, key = chance.choice(places)
        match chance.randrange(5):
            case 0:
                del parent[key]
            case 1:
                other, name = chance.choice(places)
                parent[key] = _copy(other[name])
            case 2 if isinstance(parent, list):
                times = chance.choice((1, 3, 300)) if len(json.dumps(parent[key])) < _LONG else 2
                parent.extend(_copy(parent[key]) for _ in range(times))
            case _:
                parent[key] = _copy(chance.choice(_VALUES))
    return found


def nested(chance: random.Random, value: Any) -> Any:
    """The value below many objects and lists."""
    for _ in range(chance.choice((3, 50, 300, 700))):
        value = {"a": value} if chance.random() < 0.5 else [value]
    return value


def bounded(
    case: str, what: Callable[[], object], allowed: type[Exception] | tuple[type[Exception], ...]
) -> None:
    """``what`` ends within a second, with an answer or an error of the kind that it may raise."""
    started = time.process_time()
    try:
        what()
    except allowed:
        pass
    except Exception as fault:
        raise AssertionError(f"{type(fault).__name__} for {case[:2000]}") from fault
    seconds = time.process_time() - started
    assert seconds < LONGEST_SECONDS, f"{seconds:.1f} s for {case[:2000]}"


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every object and list with each of its keys and indexes."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in list(items):
        yield value, key
        yield from _places(item)


def _copy(value: Any) -> Any:
    """A value of its own: one that is shared could come to hold itself."""
    return json.loads(json.dumps(value))
