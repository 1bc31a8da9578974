"""Who is told when something happens."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

T = TypeVar("T")


class Listeners(Generic[T]):
    """Functions that are called at once and in order; they must not wait. One may be added twice."""

    def __init__(self) -> None:
        self._listeners: dict[object, Callable[[T], None]] = {}

    @contextmanager
    def listening(self, listener: Callable[[T], None]) -> Iterator[None]:
        """``listener`` is told within the block."""
        token = object()
        self._listeners[token] = listener
        try:
            yield
        finally:
            del self._listeners[token]

    def tell(self, news: T) -> None:
        """Everybody has been told, also when one of them begins or ends to listen meanwhile."""
        for listener in tuple(self._listeners.values()):
            listener(news)
