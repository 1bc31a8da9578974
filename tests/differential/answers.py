"""What came over the wire, as values that can be compared."""

import gzip
import http.client
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import yaml

# Those that clients act on.
_HEADERS = (
    "content-encoding",
    "warning",
    "allow",
    "location",
    "retry-after",
    "www-authenticate",
    "cache-control",
)
_SHOWN_BYTES = 300
Answer = dict[str, Any]


@dataclass(frozen=True)
class Raw:
    """A whole response as it came."""

    code: int
    headers: Mapping[str, str]
    body: bytes


def read_response(response: http.client.HTTPResponse) -> Raw:
    """The whole of it; a header that came more than once is joined."""
    headers: dict[str, str] = {}
    for name, value in response.getheaders():
        key = name.lower()
        headers[key] = f"{headers[key]}, {value}" if key in headers else value
    return Raw(response.status, headers, response.read())


def told(raw: Raw) -> Answer:
    """The response as a JSON value: code, type, the headers that clients read, body."""
    answer: Answer = {"code": raw.code, "type": raw.headers.get("content-type", "")}
    answer |= {name: raw.headers[name] for name in _HEADERS if name in raw.headers}
    body = gzip.decompress(raw.body) if raw.headers.get("content-encoding") == "gzip" else raw.body
    return answer | ({"body": _parsed(body, answer["type"])} if body else {})


def _parsed(body: bytes, kind: str) -> Any:
    try:
        text = body.decode()
        if "yaml" in kind:
            return {"yaml": yaml.load(text, Loader=yaml.BaseLoader)}
        return json.loads(text) if "json" in kind or text.startswith("{") else text
    except UnicodeDecodeError:
        return {"bytes": body[:4].hex()}
    except ValueError:
        return {"not what its type says": body[:_SHOWN_BYTES].decode(errors="replace")}


def events(response: http.client.HTTPResponse, wanted: int) -> Iterator[Any]:
    """Events of a watch until the wanted number came, the server ends it, or nothing comes for a while."""
    for _ in range(wanted or 1000):
        try:
            line = response.readline()
        except (TimeoutError, http.client.IncompleteRead):
            yield "nothing more"
            return
        if not line:
            yield "end"
            return
        if line.strip():
            yield json.loads(line)
