"""Every step of the script is answered as a real kube-apiserver answered it, but for what is accepted."""

import os
from collections.abc import Iterator

import pytest
from e2e.cluster.kubectls import require_kubectls
from e2e.cluster.programs import cached_programs
from tests.differential.answers import Answer
from tests.differential.compare import differences, read_accepted, read_open, unaccepted
from tests.differential.matches import Match, matches, play_all
from tests.differential.record import read_record
from tests.differential.servers import ours, real
from tests.differential.steps import read_areas

Played = dict[str, dict[str, Answer]]
AREAS = read_areas()
PLAIN = list(matches(AREAS, {}))
NAMES = [match.name for match in PLAIN]
ACCEPTED = read_accepted()
OPEN = read_open()
HAS_CLUSTER = bool(os.environ.get("CLUSTER")) or cached_programs().are_there


@pytest.fixture(scope="module")
def everything() -> list[Match]:
    """Every area; those that are typed once for each kubectl."""
    return [*PLAIN, *matches([area for area in AREAS if area.each_kubectl], require_kubectls())]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory, everything: list[Match]) -> Iterator[Played]:
    with ours(tmp_path_factory.mktemp("ours")) as server:
        yield play_all(server, everything)


def told_of(area: str, answers: dict[str, Answer]) -> dict[str, list[str]]:
    """Step to what differs from the record and has no reason to."""
    record = read_record(area)
    assert record.keys() == answers.keys(), "the script has changed: record it again"
    told = {}
    for step, answer in answers.items():
        found = differences(f"{area}/{step}", record[step], answer)
        told[step] = [str(one) for one in unaccepted(found, ACCEPTED)]
    return told


def check(area: str, answers: dict[str, Answer]) -> None:
    told = told_of(area, answers)
    known = OPEN.get(area, ())
    new = [text for step, texts in told.items() if step not in known for text in texts]
    assert not new, "\n".join(new)
    mended = [step for step in known if not told[step]]
    assert not mended, "these are answered as they should be by now: take them off open.yaml"


@pytest.mark.timeout(180)
@pytest.mark.parametrize("area", NAMES)
def test_answers_are_those_of_kubernetes(area: str, played: Played) -> None:
    check(area, played[area])


@pytest.mark.kubectl
@pytest.mark.timeout(180)
@pytest.mark.parametrize("version", ["1.20", "1.37"])
def test_kubectl_prints_what_it_prints_of_kubernetes(version: str, played: Played) -> None:
    check(f"kubectl@{version}", played[f"kubectl@{version}"])


def test_each_accepted_difference_is_still_there(played: Played) -> None:
    found = [
        one
        for area, answers in played.items()
        for step, answer in answers.items()
        for one in differences(f"{area}/{step}", read_record(area).get(step), answer)
    ]
    idle = [entry.reason for entry in ACCEPTED if not any(entry.covers(one) for one in found)]
    assert not idle


@pytest.mark.skipif(not HAS_CLUSTER, reason="needs the programs of e2e.cluster, or CLUSTER=1 to build them")
@pytest.mark.timeout(1200)
def test_record_is_what_the_real_one_says(
    tmp_path_factory: pytest.TempPathFactory, everything: list[Match]
) -> None:
    with real(tmp_path_factory.mktemp("real")) as server:
        said = play_all(server, everything)
    told = [
        str(one)
        for area, answers in said.items()
        for step, answer in answers.items()
        for one in differences(f"{area}/{step}", read_record(area)[step], answer)
    ]
    assert not told, "\n".join(told)
