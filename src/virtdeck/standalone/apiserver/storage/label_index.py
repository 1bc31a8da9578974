"""Which objects carry which label, for the few label keys that are asked for."""

from collections import OrderedDict
from collections.abc import Iterable

from virtdeck.standalone.apiserver.storage.rows import Key, Row

_MOST_KEYS = 8  # label keys indexed of one resource; what was not asked for longest goes


class LabelIndex:
    """Built for a label key when it is first asked for, and kept current from then on."""

    def __init__(self) -> None:
        self._by_key: OrderedDict[str, dict[str, set[Key]]] = OrderedDict()

    def find(self, label: str, values: Iterable[str], rows: Iterable[Row]) -> set[Key]:
        """The keys of the rows whose label has one of these values. rows: all that there are."""
        index = self._by_key.get(label)
        if index is None:
            index = self._build(label, rows)
        self._by_key.move_to_end(label)
        found = [index[value] for value in values if value in index]
        return set().union(*found) if len(found) != 1 else found[0]

    def _build(self, label: str, rows: Iterable[Row]) -> dict[str, set[Key]]:
        if len(self._by_key) >= _MOST_KEYS:
            self._by_key.popitem(last=False)
        index = self._by_key[label] = {}
        for row in rows:
            if (value := row.labels.get(label)) is not None:
                index.setdefault(value, set()).add(row.key)
        return index

    def replace(self, before: Row | None, after: Row | None) -> None:
        """One row has taken another's place."""
        for label, index in self._by_key.items():
            old = before.labels.get(label) if before is not None else None
            new = after.labels.get(label) if after is not None else None
            if old == new:
                continue
            if before is not None and old is not None:
                _discard(index, old, before.key)
            if after is not None and new is not None:
                index.setdefault(new, set()).add(after.key)


def _discard(index: dict[str, set[Key]], value: str, key: Key) -> None:
    keys = index[value]
    keys.discard(key)
    if not keys:
        del index[value]
