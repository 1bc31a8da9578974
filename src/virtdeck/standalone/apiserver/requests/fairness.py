"""How much one user may have under way at once, so that nobody starves the others."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from virtdeck.standalone.apiserver.problems import too_many_requests

# Far above what a controller or a person has under way, far below what would fill the machine.
_MOST_REQUESTS = 200
_MOST_STREAMS = 1000


class Fairness:
    """Counts requests and streams (watches, followed logs, proxied connections) by user."""

    def __init__(self, requests: int = _MOST_REQUESTS, streams: int = _MOST_STREAMS) -> None:
        self._limits = {False: requests, True: streams}
        self._under_way: Counter[tuple[str, bool]] = Counter()

    @contextmanager
    def admit(self, user: str, *, stream: bool) -> Iterator[None]:
        """The request counts while it is inside. Raises: StatusError 429 when the user has too many."""
        key = (user, stream)
        if self._under_way[key] >= self._limits[stream]:
            what = "watches and streams" if stream else "requests"
            raise too_many_requests(f"{user} has {self._limits[stream]} {what} open already; try again later")
        self._under_way[key] += 1
        try:
            yield
        finally:
            self._under_way[key] -= 1
            if not self._under_way[key]:
                del self._under_way[key]
