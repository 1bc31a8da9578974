"""The list's query, its filter, order and pages."""

import random
import time

import pytest
from tests.unit.gateway.console.machines import a_machine

from virtdeck.gateway.console.views.listing import SORTS, Query, counts, select
from virtdeck.gateway.console.views.machine import Machine


@pytest.fixture(scope="module")
def household() -> list[Machine]:
    return [
        a_machine("web-1"),
        a_machine("web-2", namespace="lab"),
        a_machine("db", "Stopped", labels={"app": "db", "tier": "back"}),
        a_machine("report", "ErrImagePull"),
        a_machine("cache", "Paused"),
    ]


def names(machines: list[Machine], **asked: str) -> list[str]:
    return [machine.name for machine in select(machines, Query.parse(asked)).machines]


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({}, ["cache", "db", "report", "web-1", "web-2"]),
        ({"q": "WEB"}, ["web-1", "web-2"]),
        ({"q": "web lab"}, ["web-2"]),
        ({"q": "10.42"}, ["cache", "web-1", "web-2"]),
        ({"ns": "lab"}, ["web-2"]),
        ({"status": "failed"}, ["report"]),
        ({"status": "nonsense"}, ["cache", "db", "report", "web-1", "web-2"]),
        ({"label": "tier"}, ["db"]),
        ({"label": "app=db,tier=back"}, ["db"]),
        ({"label": "app=db,tier=front"}, []),
        ({"node": "host-1", "sort": "-name"}, ["web-2", "web-1", "cache"]),
        ({"sort": "status"}, ["report", "cache", "web-2", "web-1", "db"]),
    ],
)
def test_the_list_holds_what_fits_in_the_order_asked_for(
    household: list[Machine], asked: dict[str, str], found: list[str]
) -> None:
    assert names(household, **asked) == found


def test_counts_are_of_all_groups(household: list[Machine]) -> None:
    assert counts(household) == {"all": 5, "running": 2, "stopped": 1, "paused": 1, "busy": 0, "failed": 1}


def test_a_page_beyond_the_last_is_the_last(household: list[Machine]) -> None:
    page = select(household, Query(page=99))
    assert (page.first, page.last, page.total, page.after) == (1, 5, 5, "")


def test_pages_follow_each_other_without_gap_or_repeat() -> None:
    machines = [a_machine(f"m-{number:03}", "Stopped") for number in range(130)]
    random.Random(1).shuffle(machines)
    seen: list[str] = []
    for number in (1, 2, 3):
        page = select(machines, Query(page=number))
        seen += [machine.name for machine in page.machines]
    assert seen == sorted(machine.name for machine in machines)


@pytest.mark.parametrize("sort", [*SORTS, *(f"-{name}" for name in SORTS)])
def test_a_short_beginning_of_a_long_list_is_the_same_as_sorting_it_all(sort: str) -> None:
    machines = [
        a_machine(f"m-{number % 7}-{number}", random.Random(number).choice(["Stopped", "Paused"]))
        for number in range(450)
    ]
    key = SORTS[sort.removeprefix("-")]
    wanted = sorted(machines, key=key, reverse=sort.startswith("-"))[:50]
    assert [machine.name for machine in select(machines, Query(sort=sort)).machines] == [
        machine.name for machine in wanted
    ]


def test_another_filter_begins_on_page_one_and_the_address_stays_short() -> None:
    query = Query.parse({"q": "a b", "page": "3", "sort": "-age"})
    assert query.url(status="failed") == "/vms?q=a+b&status=failed&sort=-age"
    assert query.url(page=4) == "/vms?q=a+b&sort=-age&page=4"
    assert Query().url() == "/vms"


@pytest.mark.parametrize("text", ["-1", "0", "x", "1e9", "99999999999", "²"])
def test_a_nonsense_page_is_the_first(text: str) -> None:
    assert Query.parse({"page": text}).page == 1


def test_five_thousand_machines_are_selected_from_in_a_moment() -> None:
    machines = [a_machine("m")] * 5000
    begun = time.perf_counter()
    select(machines, Query(q="m", sort="-memory"))
    assert time.perf_counter() - begun < 1
