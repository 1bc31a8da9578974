"""The last bytes of an endless stream."""

from collections import deque


class Ring:
    """Keeps at most ``limit`` bytes, the newest."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._chunks: deque[bytes] = deque()
        self._held = 0

    def append(self, data: bytes) -> None:
        """The newest bytes are kept; as many of the oldest go as are over the limit."""
        data = data[-self._limit :]
        self._chunks.append(data)
        self._held += len(data)
        while self._held > self._limit:
            oldest = self._chunks.popleft()
            rest = oldest[self._held - self._limit :]
            self._held -= len(oldest) - len(rest)
            if rest:
                self._chunks.appendleft(rest)

    def contents(self) -> bytes:
        """All that is kept, oldest first."""
        whole = b"".join(self._chunks)
        self._chunks = deque((whole,) if whole else ())  # many small chunks become one
        return whole
