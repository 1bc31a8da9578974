"""What a handler of the API answers."""

from dataclasses import dataclass
from typing import Any

import orjson


@dataclass(frozen=True)
class Answer:
    """A whole response."""

    body: bytes = b""
    content_type: bytes = b"application/json"
    code: int = 200


def json_answer(value: Any) -> Answer:
    """The value as JSON."""
    return Answer(orjson.dumps(value))
