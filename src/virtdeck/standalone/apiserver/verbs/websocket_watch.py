"""A watch over a WebSocket: one text frame for each event, as browsers and some libraries ask for it."""

from virtdeck.serving.asgi import Message, Receive, Send
from virtdeck.standalone.apiserver.requests.call import Call
from virtdeck.standalone.apiserver.resources.resource import Resource
from virtdeck.standalone.apiserver.service import Service
from virtdeck.standalone.apiserver.verbs.watching import Watch

_NORMAL = 1000


async def watch_by_frames(call: Call, service: Service, resource: Resource) -> None:
    """The stream has been sent; the connection is accepted once the watch stands. Raises: StatusError."""
    watch = Watch(call, service, resource)  # what is wrong with it is answered before anything is accepted
    frames = _Frames(call.send, call.receive)
    call.send, call.receive = frames.send, frames.receive
    await watch.run()


class _Frames:
    """A stream of lines as frames; what the client sends is not listened to, but that it goes."""

    def __init__(self, onward: Send, inward: Receive) -> None:
        self.onward = onward
        self.inward = inward

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            await self.onward({"type": "websocket.accept", "headers": []})
            return
        for line in message.get("body", b"").splitlines():
            await self.onward({"type": "websocket.send", "text": line.decode()})
        if not message.get("more_body"):
            await self.onward({"type": "websocket.close", "code": _NORMAL})

    async def receive(self) -> Message:
        message = await self.inward()
        if message["type"] == "websocket.disconnect":
            return {"type": "http.disconnect"}
        return message
