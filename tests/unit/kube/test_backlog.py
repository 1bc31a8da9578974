"""Which key is due, and who may work on it."""

from virtdeck.kube.backlog import Backlog
from virtdeck.kube.backoff import Backoff

RETRY = Backoff(base_seconds=1.0, cap_seconds=8.0, spread=0.5)


def backlog() -> Backlog[str]:
    return Backlog(RETRY)


def test_a_key_added_twice_is_due_once() -> None:
    queue = backlog()
    queue.add("a")
    queue.add("a")
    assert (queue.take(0), queue.take(0)) == ("a", None)


def test_keys_come_in_the_order_they_were_added() -> None:
    queue = backlog()
    for key in ("b", "a", "c"):
        queue.add(key)
    assert [queue.take(0) for _ in range(3)] == ["b", "a", "c"]


def test_a_key_in_work_is_not_given_to_a_second_worker_but_comes_again_after() -> None:
    queue = backlog()
    queue.add("a")
    assert queue.take(0) == "a"
    queue.add("a")
    assert queue.take(0) is None
    assert queue.done("a")
    assert queue.take(0) == "a"
    assert not queue.done("a")
    assert queue.take(0) is None


def test_a_delayed_key_is_due_when_its_time_has_come() -> None:
    queue = backlog()
    queue.add_at("a", 10.0)
    assert (queue.take(9.9), queue.next_moment()) == (None, 10.0)
    assert queue.take(10.0) == "a"
    assert queue.next_moment() is None


def test_the_earlier_of_two_moments_counts() -> None:
    queue = backlog()
    queue.add_at("a", 10.0)
    queue.add_at("a", 5.0)
    queue.add_at("a", 20.0)
    assert queue.take(5.0) == "a"
    queue.done("a")
    assert (queue.take(30.0), queue.next_moment()) == (None, None)


def test_a_delayed_key_that_is_added_is_due_at_once_and_only_then() -> None:
    queue = backlog()
    queue.add_at("a", 10.0)
    queue.add("a")
    assert queue.take(0) == "a"
    queue.done("a")
    assert queue.take(30.0) is None


def test_a_delay_for_a_key_in_work_is_kept_until_it_is_done() -> None:
    queue = backlog()
    queue.add("a")
    queue.take(0)
    queue.add_at("a", 1.0)
    assert queue.take(2.0) is None
    assert queue.done("a")
    assert queue.take(2.0) == "a"


def test_each_failure_in_a_row_waits_longer_up_to_the_cap() -> None:
    queue = backlog()
    waits = [queue.fail("a", 0.0, 0.0) for _ in range(6)]
    assert waits == [1.0, 2.0, 4.0, 8.0, 8.0, 8.0]
    assert queue.failures("a") == 6
    queue.succeed("a")
    assert queue.fail("a", 0.0, 1.0) == 1.5


def test_a_failure_may_ask_for_a_longer_wait() -> None:
    queue = backlog()
    assert queue.fail("a", 0.0, 0.0, at_least_seconds=30.0) == 30.0
    assert queue.take(29.0) is None
    assert queue.take(30.0) == "a"
