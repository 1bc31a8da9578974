"""A store of objects by key, with further ways to find them; pure."""

from collections.abc import Callable, Iterable, Mapping
from typing import Generic, TypeVar

from virtdeck.kube.objects import Key, identity

T = TypeVar("T")

IndexFunction = Callable[[T], Iterable[str]]


class IndexedStore(Generic[T]):
    """Objects by key and by the values that each index function gives for them."""

    def __init__(self, indexes: Mapping[str, IndexFunction[T]]) -> None:
        self._functions = dict(indexes)
        self._objects: dict[Key, T] = {}
        self._indexes: dict[str, dict[str, set[Key]]] = {name: {} for name in indexes}

    def __len__(self) -> int:
        return len(self._objects)

    def get(self, key: Key) -> T | None:
        return self._objects.get(key)

    def find(self, index: str, value: str) -> list[T]:
        """The objects with this value, in the order of their keys."""
        return [self._objects[key] for key in sorted(self._indexes[index].get(value, ()))]

    def all(self) -> list[T]:
        return list(self._objects.values())

    def known(self) -> list[Key]:
        return list(self._objects)

    def put(self, obj: T) -> T | None:
        """The object is stored; answers the one that stood there before."""
        key = identity(obj).key
        former = self.drop(key)
        self._objects[key] = obj
        for name, function in self._functions.items():
            for value in function(obj):
                self._indexes[name].setdefault(value, set()).add(key)
        return former

    def drop(self, key: Key) -> T | None:
        """The object under this key is forgotten; answers it."""
        former = self._objects.pop(key, None)
        if former is not None:
            for name, function in self._functions.items():
                for value in function(former):
                    self._forget(name, value, key)
        return former

    def _forget(self, name: str, value: str, key: Key) -> None:
        keys = self._indexes[name].get(value)
        if keys is None:
            return
        keys.discard(key)
        if not keys:
            del self._indexes[name][value]
