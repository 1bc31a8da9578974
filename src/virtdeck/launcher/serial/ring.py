"""The last bytes of an endless stream."""


class Ring:
    """Keeps the newest ``limit`` bytes; takes at most twice that, whatever the size of the pieces."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._kept = bytearray()

    def append(self, data: bytes) -> None:
        """These are the newest bytes."""
        self._kept += data[-self._limit :]
        if len(self._kept) > 2 * self._limit:
            del self._kept[: -self._limit]

    def contents(self) -> bytes:
        """All that is kept, oldest first."""
        return bytes(self._kept[-self._limit :])
