"""Phases and reasons of a domain, from what libvirt reports."""

from datetime import UTC, datetime

import pytest

from virtdeck.launcher.hypervisor.protocol import DomainState, PausedReason, StoppedDetail
from virtdeck.launcher.lifecycle import life as lives
from virtdeck.launcher.lifecycle.life import Life
from virtdeck.launcher.lifecycle.polling import DELAYS_SECONDS, SETTLED_SECONDS, delay_after

EARLIER = datetime(2026, 1, 1, tzinfo=UTC)
NOW = datetime(2026, 1, 2, tzinfo=UTC)
RUNNING = lives.started(Life(), False, EARLIER)
PAUSED_START = lives.started(Life(), True, EARLIER)
PAUSED = lives.seen(RUNNING, DomainState.PAUSED, PausedReason.USER, EARLIER)
STOPPING = lives.shutdown_asked(RUNNING, EARLIER)


@pytest.mark.parametrize(
    ("life", "state", "reason", "phase", "why"),
    [
        (RUNNING, DomainState.RUNNING, 0, "Running", None),
        (RUNNING, DomainState.BLOCKED, 0, "Running", None),
        (RUNNING, DomainState.PMSUSPENDED, 0, "Running", None),
        (RUNNING, DomainState.PAUSED, PausedReason.USER, "Paused", "PausedByUser"),
        (RUNNING, DomainState.PAUSED, PausedReason.IO_ERROR, "Paused", "PausedIOError"),
        (RUNNING, DomainState.PAUSED, PausedReason.MIGRATION, "Paused", "PausedByMigrationMonitor"),
        (RUNNING, DomainState.PAUSED, PausedReason.STARTING_UP, "Running", None),
        (RUNNING, DomainState.SHUTDOWN, 0, "ShuttingDown", None),
        (PAUSED, DomainState.RUNNING, 0, "Running", None),
        (PAUSED_START, DomainState.PAUSED, PausedReason.USER, "Paused", "StartedPaused"),
        (PAUSED_START, DomainState.RUNNING, 0, "Running", None),
        (STOPPING, DomainState.RUNNING, 0, "ShuttingDown", None),
        (Life(), DomainState.RUNNING, 0, "NoDomain", None),
    ],
)
def test_the_state_that_libvirt_has_decides(
    life: Life, state: int, reason: int, phase: str, why: str | None
) -> None:
    after = lives.seen(life, state, reason, NOW)
    assert (after.phase, after.pause_reason) == (phase, why)


def test_a_state_that_is_known_changes_nothing() -> None:
    assert lives.seen(RUNNING, DomainState.RUNNING, 0, NOW) is RUNNING
    assert lives.seen(PAUSED, DomainState.PAUSED, PausedReason.USER, NOW) is PAUSED


@pytest.mark.parametrize(
    ("detail", "panicked", "reason"),
    [
        (StoppedDetail.SHUTDOWN, False, "Shutdown"),
        (StoppedDetail.DESTROYED, False, "Destroyed"),
        (StoppedDetail.CRASHED, False, "Crashed"),
        (StoppedDetail.CRASHED, True, "Panicked"),
        (StoppedDetail.FAILED, False, "Crashed"),
        (StoppedDetail.FAILED, True, "Panicked"),
        (StoppedDetail.SHUTDOWN, True, "Shutdown"),
        (99, False, "Crashed"),
    ],
)
def test_a_domain_that_stopped_says_why(detail: int, panicked: bool, reason: str) -> None:
    life = lives.panicked(RUNNING) if panicked else RUNNING
    after = lives.stopped(life, detail, NOW)
    assert (after.phase, after.end_reason, after.since) == ("Ended", reason, "2026-01-02T00:00:00Z")
    assert after.message


def test_the_first_end_stays() -> None:
    crashed = lives.stopped(RUNNING, StoppedDetail.FAILED, EARLIER)
    assert lives.ended(crashed, "LibvirtLost", "later", NOW) is crashed


def test_an_end_that_is_told_before_the_start_is_done_stays() -> None:
    ended = lives.stopped(lives.begun(Life(), EARLIER), StoppedDetail.FAILED, EARLIER)
    assert lives.started(ended, False, NOW) is ended


def test_an_ended_domain_cannot_run_again() -> None:
    ended = lives.stopped(RUNNING, StoppedDetail.SHUTDOWN, EARLIER)
    assert lives.seen(ended, DomainState.RUNNING, 0, NOW) is ended
    assert lives.shutdown_asked(ended, NOW) is ended
    assert lives.rebooted(ended) is ended


def test_asking_twice_for_shutdown_keeps_the_first_time() -> None:
    assert lives.shutdown_asked(STOPPING, NOW).since == STOPPING.since


def test_reboots_are_counted() -> None:
    assert lives.rebooted(lives.rebooted(RUNNING)).reboots == 2


def test_the_agent_is_asked_soon_and_then_seldom() -> None:
    delays = [delay_after(polls) for polls in range(1, 12)]
    assert delays[0] <= 1
    assert delays == sorted(delays)
    assert delays[len(DELAYS_SECONDS) :] == [SETTLED_SECONDS] * (11 - len(DELAYS_SECONDS))
