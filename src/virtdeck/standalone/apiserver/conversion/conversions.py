"""Converts what is about to be read, shown or stored."""

from collections.abc import Iterable

import orjson

from virtdeck.standalone.apiserver.aggregation.upstream import Upstreams
from virtdeck.standalone.apiserver.conversion.review import converted
from virtdeck.standalone.apiserver.objects.versions import between, to_stored
from virtdeck.standalone.apiserver.resources.resource import Obj, Resource
from virtdeck.standalone.apiserver.storage.rows import Row

_AT_ONCE = 500  # objects in one call


class Conversions:
    """Asks the webhooks of CRDs."""

    def __init__(self, upstreams: Upstreams) -> None:
        self._upstreams = upstreams

    async def prepare(self, rows: Iterable[Row | None], resource: Resource) -> None:
        """The rows can be shown as the resource shows them. Raises: StatusError 500."""
        conversion = resource.conversion
        if conversion is None:
            return
        mark = (resource.api_version, conversion.generation)
        left: dict[str, list[Row]] = {}
        for row in rows:
            if row is not None and row.api_version != resource.api_version and mark not in (row.shown or {}):
                left.setdefault(row.api_version, []).append(row)
        for found in left.values():
            for start in range(0, len(found), _AT_ONCE):
                part = found[start : start + _AT_ONCE]
                objects = [row.decode() for row in part]
                made = await converted(conversion, self._upstreams, objects, resource.api_version)
                for row, obj in zip(part, made, strict=True):
                    row.shown = {mark: orjson.dumps(obj)}

    async def stored(self, obj: Obj, resource: Resource) -> Obj:
        """The object as it is stored. Raises: StatusError 500."""
        if resource.conversion is None or resource.is_stored_version:
            return to_stored(obj, resource)
        return (await self._convert(obj, resource, resource.stored_api_version))[0]

    async def both(
        self, obj: Obj | None, old: Obj | None, given: Resource, wanted: Resource
    ) -> tuple[Obj | None, Obj | None]:
        """A new object and the old one, either of which may not be there, as another resource shows them."""
        return (
            await self.between(obj, given, wanted) if obj is not None else None,
            await self.between(old, given, wanted) if old is not None else None,
        )

    async def between(self, obj: Obj, given: Resource, wanted: Resource) -> Obj:
        """An object that one resource shows, as another one of its kind shows it. Raises: StatusError 500."""
        if given is wanted:
            return obj
        if given.conversion is None:
            return between(obj, given, wanted)
        return (await self._convert(obj, given, wanted.api_version))[0]

    async def _convert(self, obj: Obj, resource: Resource, wanted: str) -> list[Obj]:
        if resource.conversion is None:
            raise TypeError(f"{resource.plural} has no webhook")
        return await converted(resource.conversion, self._upstreams, [obj], wanted)
