"""The checkers themselves: each breach is named, and a true recording has none."""

import pytest
from tests.contract.apiserver.truth import linear, watch_properties
from tests.contract.apiserver.truth.history import (
    ADDED,
    BOOKMARK,
    DELETED,
    MODIFIED,
    Change,
    Filter,
    Past,
    Request,
    Watched,
)

K, L = ("n", "k"), ("n", "l")
LEFT, RIGHT = {"side": "left"}, {"side": "right"}
PAST = Past(
    [
        Change(1, ADDED, K, "a", LEFT),
        Change(2, MODIFIED, K, "b", RIGHT),
        Change(4, ADDED, L, "c", LEFT),
        Change(5, MODIFIED, K, "d", LEFT),
        Change(7, DELETED, K, "d", LEFT),
    ]
)
ALL = PAST.changes


def broken(
    seen: tuple[Change, ...], start: int = 0, ended: int = 7, filter: Filter | None = None
) -> set[str]:
    faults = watch_properties.faults_of(Watched("w", start, filter or Filter(), seen, ended), PAST)
    return {fault.split(" ")[1].rstrip(":") for fault in faults}


def test_whole_watch_breaks_nothing() -> None:
    assert broken(ALL) == set()
    assert broken(ALL[2:], start=2) == set()


def test_filtered_watch_is_told_of_what_enters_and_leaves() -> None:
    left = Filter(label=("side", "left"))
    told = watch_properties.expected(PAST, left, 0, 7)
    assert [(one.revision, one.kind) for one in told] == [
        (1, ADDED),
        (2, DELETED),
        (4, ADDED),
        (5, ADDED),
        (7, DELETED),
    ]
    assert broken(tuple(told), filter=left) == set()


@pytest.mark.parametrize(
    ("name", "seen"),
    [
        ("ordered", (ALL[1], ALL[0], *ALL[2:])),
        ("unique", (ALL[0], *ALL)),
        ("atomic", (Change(1, ADDED, K, "other", LEFT), *ALL[1:])),
        ("atomic", (*ALL[:2], Change(3, ADDED, L, "c", LEFT), *ALL[2:])),
        ("reliable", (ALL[0], *ALL[2:])),
        ("resumable", ALL[:-1]),
        ("resumable", ALL[1:]),
        ("bookmarkable", (*ALL[:1], Change(2, BOOKMARK, ("", ""), ""), *ALL[1:])),
        ("previous", (*ALL[:-1], Change(7, DELETED, K, "a", LEFT))),
        ("created", (ALL[0], Change(2, ADDED, K, "b", RIGHT), *ALL[2:])),
    ],
)
def test_each_property_is_seen_when_it_breaks(name: str, seen: tuple[Change, ...]) -> None:
    assert name in broken(seen)


def test_event_that_the_filter_excludes_is_seen() -> None:
    assert "filtered" in broken((Change(4, ADDED, L, "c", LEFT),), 2, 4, Filter(label=("side", "right")))


def test_event_before_the_asked_revision_is_seen() -> None:
    assert "resumable" in broken(ALL, start=1)


def request(verb: str, code: int | None, begin: float = 0, end: float = 1, **told: object) -> Request:
    return Request(verb, K, begin, end, code, **told)  # type: ignore[arg-type]


WRITERS = [
    request("create", 201, 0, 1, value="a", revision=1),
    request("patch", 200, 2, 3, value="b", revision=2),
    Request("create", L, 4, 5, 201, "c", 4),
    request("update", 200, 6, 7, value="d", revision=5, expected=2),
    request("delete", 200, 8, 9),
]


def test_true_answers_have_no_fault() -> None:
    reads = [
        request("get", 200, 2.5, 2.6, value="a", revision=1),
        request("get", 200, 3.5, 3.6, value="b", revision=2),
        request("get", 404, 10, 11),
        request("create", 409, 3.5, 3.6, value="x"),
        request("update", 409, 6.5, 6.6, value="y", expected=2),
        Request("list", ("n", ""), 5.5, 5.6, 200, revision=4, listed={K: 2, L: 4}),
        request("patch", None, 3.5, 3.6, value="lost"),
    ]
    assert linear.faults_of([*WRITERS, *reads], PAST) == []


@pytest.mark.parametrize(
    ("fault", "lie"),
    [
        ("acknowledged and lost", request("patch", 200, 7.1, 7.2, value="z", revision=6)),
        ("stale or invented", request("get", 200, 3.5, 3.6, value="a", revision=1)),
        ("stale or invented", request("get", 200, 7.5, 7.6, value="never", revision=5)),
        ("not found although", request("get", 404, 3.5, 3.6)),
        ("refused although nothing", request("create", 409, 10, 11, value="x")),
        ("refused although 5", request("update", 409, 7.4, 7.5, value="y", expected=5)),
        ("never happened", request("delete", 200, 3.5, 3.6)),
        ("not found although", request("delete", 404, 3.5, 3.6)),
        ("a list of 1", Request("list", ("n", ""), 3.5, 3.6, 200, revision=1, listed={K: 1})),
        ("shows", Request("list", ("n", ""), 7.5, 7.6, 200, revision=5, listed={K: 5})),
    ],
)
def test_each_lie_is_seen(fault: str, lie: Request) -> None:
    found = linear.faults_of([*WRITERS, lie], PAST)
    assert any(fault in one for one in found), found


def test_update_bound_to_another_version_is_seen() -> None:
    lost_update = request("update", 200, 6, 7, value="d", revision=5, expected=1)
    found = linear.faults_of([*WRITERS[:3], lost_update, WRITERS[4]], PAST)
    assert any("bound to 1, changed 2" in one for one in found), found


def test_write_out_of_its_time_is_seen() -> None:
    late = [request("patch", 200, 3.2, 3.4, value="b", revision=2), *WRITERS[2:]]
    early = Request("create", K, 3.5, 3.6, 201, "a", 1)
    found = linear.faults_of([early, *late], PAST)
    assert any("out of its time" in one for one in found), found


def test_what_nobody_wrote_or_was_refused_is_seen() -> None:
    refused = request("create", 409, 0, 1, value="a")
    found = linear.faults_of([refused, *WRITERS[1:3]], PAST)
    assert any("was refused with 409" in one for one in found), found
    assert any("which nobody wrote" in one for one in found), found
