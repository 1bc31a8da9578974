"""Answers to bytes: JSON or YAML, compressed when it pays, with the headers that clients read."""

import zlib
from collections.abc import Iterator
from typing import Any

import anyio.lowlevel
import orjson

from virtdeck.serving.asgi import Send
from virtdeck.standalone.apiserver.problems import StatusError, status_of
from virtdeck.standalone.apiserver.requests.call import Pieces, Reply

# As kube-apiserver: smaller answers are not worth the time.
_WORTH_COMPRESSING = 128 * 1024
_COMPRESSION_LEVEL = 1
_PIECE_BYTES = 256 * 1024
_ALL_WARNINGS = 4096
_ONE_WARNING = 256
_CONTROLS = dict.fromkeys((*range(0x20), 0x7F), " ")

RawHeaders = list[tuple[bytes, bytes]]


def encode(value: Any) -> bytes:
    """The whole body."""
    if isinstance(value, Pieces):
        return b"".join(value)
    return value if isinstance(value, bytes) else orjson.dumps(value)


async def send_reply(send: Send, reply: Reply, accept: str, encodings: str, warnings: list[str]) -> None:
    """The reply has been sent."""
    pieces = reply.body if isinstance(reply.body, Pieces) else Pieces([encode(reply.body)])
    content_type = reply.content_type
    if content_type == "application/json" and accept.startswith("application/yaml"):
        pieces, content_type = Pieces([_to_yaml(encode(pieces))]), "application/yaml"
    size = sum(map(len, pieces))
    headers = [*_plain_headers(content_type, warnings), *_raw(reply.headers)]
    compressed = size > _WORTH_COMPRESSING and "gzip" in encodings
    if compressed:
        headers += [(b"content-encoding", b"gzip"), (b"vary", b"Accept-Encoding")]
    else:
        headers.append((b"content-length", str(size).encode()))
    await send({"type": "http.response.start", "status": reply.code, "headers": headers})
    if size <= _PIECE_BYTES and not compressed:
        await send({"type": "http.response.body", "body": encode(pieces)})
    else:
        await _send_body(send, pieces, compressed)


async def _send_body(send: Send, pieces: Pieces, compressed: bool) -> None:
    """The body goes out part by part: no second copy of a long list, and others get their turn between."""
    packer = zlib.compressobj(_COMPRESSION_LEVEL, zlib.DEFLATED, 16 + zlib.MAX_WBITS) if compressed else None
    for part in _parts(pieces):
        packed = packer.compress(part) if packer is not None else part
        if packed:
            await send({"type": "http.response.body", "body": packed, "more_body": True})
        await anyio.lowlevel.checkpoint()
    await send({"type": "http.response.body", "body": packer.flush() if packer else b"", "more_body": False})


def _parts(pieces: Pieces) -> Iterator[bytes]:
    """The same bytes in parts of about one size."""
    gathered: list[bytes] = []
    size = 0
    for piece in pieces:
        if len(piece) >= 2 * _PIECE_BYTES:
            yield b"".join(gathered)
            gathered, size = [], 0
            yield from (piece[at : at + _PIECE_BYTES] for at in range(0, len(piece), _PIECE_BYTES))
            continue
        gathered.append(piece)
        size += len(piece)
        if size >= _PIECE_BYTES:
            yield b"".join(gathered)
            gathered, size = [], 0
    yield b"".join(gathered)


def failure(fault: StatusError) -> Reply:
    """An error as an answer."""
    return Reply(status_of(fault), fault.code, headers=fault.headers)


def stream_headers(content_type: str, warnings: list[str]) -> RawHeaders:
    """The head of an answer that has no end yet."""
    return _plain_headers(content_type, warnings)


def _plain_headers(content_type: str, warnings: list[str]) -> RawHeaders:
    headers = [
        (b"content-type", content_type.encode()),
        (b"cache-control", b"no-cache, private"),
        (b"x-content-type-options", b"nosniff"),
    ]
    return headers + [(b"warning", _warning(text)) for text in _bounded(warnings)]


def _bounded(warnings: list[str]) -> list[str]:
    """As kube-apiserver: many long ones are cut, and what does not fit into a header then is left out."""
    if sum(map(len, warnings)) <= _ALL_WARNINGS:
        return warnings
    cut = [text if len(text) <= _ONE_WARNING else text[: _ONE_WARNING - 3] + "..." for text in warnings]
    return cut[: _ALL_WARNINGS // _ONE_WARNING]


def _warning(text: str) -> bytes:
    """RFC 7234's warn-value with code 299 (miscellaneous, persistent), without control characters."""
    plain = text.translate(_CONTROLS).replace("\\", "\\\\").replace('"', '\\"')
    return f'299 - "{plain}"'.encode(errors="replace")


def _raw(headers: tuple[tuple[str, str], ...]) -> RawHeaders:
    return [(name.encode(), value.encode()) for name, value in headers]


def _to_yaml(body: bytes) -> bytes:
    # Imported here: yaml is rarely asked for and costs a start 20 ms.
    import yaml

    return yaml.safe_dump(orjson.loads(body), sort_keys=False, allow_unicode=True).encode()
