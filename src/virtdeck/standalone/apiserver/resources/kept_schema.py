"""A CRD's schema as it lies in the store, read when somebody first asks for it."""

from functools import cached_property
from typing import Any

import orjson

Obj = dict[str, Any]


class KeptSchema:
    """The structural schema of one version of a CRD.

    A server holds many and uses few; decoded, one takes five times the room of the bytes, which the store has
    anyway.
    """

    def __init__(self, definition: bytes, version: str) -> None:
        self._definition = definition
        self._version = version

    @cached_property
    def schema(self) -> Obj:
        """Decoded once and then kept, since who uses a kind uses it again."""
        versions = orjson.loads(self._definition)["spec"]["versions"]
        found: Obj = next(one["schema"] for one in versions if one["name"] == self._version)[
            "openAPIV3Schema"
        ]
        return found
