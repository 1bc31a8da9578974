"""Limits by user."""

from contextlib import ExitStack

import pytest

from virtdeck.standalone.apiserver.problems import StatusError
from virtdeck.standalone.apiserver.requests.fairness import Fairness


def test_one_users_crowd_is_told_to_wait_and_others_pass() -> None:
    fairness = Fairness(requests=2, streams=1)
    with ExitStack() as stack:
        for _ in range(2):
            stack.enter_context(fairness.admit("a", stream=False))
        with pytest.raises(StatusError) as caught, fairness.admit("a", stream=False):
            pass
        assert caught.value.code == 429
        assert ("Retry-After", "1") in caught.value.headers
        stack.enter_context(fairness.admit("b", stream=False))
        stack.enter_context(fairness.admit("a", stream=True))
    with fairness.admit("a", stream=False):
        pass
