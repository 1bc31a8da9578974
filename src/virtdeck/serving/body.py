"""A request's whole body."""

from virtdeck.basis.errors import Lost
from virtdeck.serving.asgi import Receive


async def read_body(receive: Receive) -> bytes:
    """The body, which the server's limits bound in size and time. Raises: Lost when the client has gone."""
    pieces: list[bytes] = []
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise Lost("the client went away before its request was whole")
        pieces.append(message.get("body", b""))
        if not message.get("more_body", False):
            return b"".join(pieces)
