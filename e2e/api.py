"""The API server as virtctl speaks to it: requests and WebSockets with the admin's certificate."""

import base64
import http.client
import json
import re
import ssl
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from e2e.product import Product
from e2e.streams import Stream, open_stream
from websockets.typing import Subprotocol

SUBRESOURCES = "/apis/subresources.kubevirt.io/v1/namespaces"


class Api:
    """Requests as the administrator, or as somebody without a certificate."""

    def __init__(self, product: Product, *, stranger: bool = False) -> None:
        config = json.loads(product.kubeconfig.read_text())
        cluster = config["clusters"][0]["cluster"]
        self.server: str = cluster["server"]
        self.context = _trusting(cluster) if stranger else _tls(cluster, config["users"][0]["user"])

    def call(
        self, method: str, path: str, body: Any = None, content_type: str = "application/json"
    ) -> tuple[int, Any]:
        """Status code, and the body as JSON if it is JSON, else as bytes."""
        address = urlsplit(self.server)
        connection = http.client.HTTPSConnection(
            address.hostname or "", address.port, timeout=30, context=self.context
        )
        try:
            content = None if body is None else json.dumps(body)
            connection.request(method, path, body=content, headers={"Content-Type": content_type})
            response = connection.getresponse()
            data = response.read()
        finally:
            connection.close()
        if data and "json" in (response.headers.get("Content-Type") or ""):
            return response.status, json.loads(data)
        return response.status, data

    def watch(self, path: str) -> Iterator[dict[str, Any]]:
        """Events of a watch that has begun when this returns; ends with the server's patience."""
        address = urlsplit(self.server)
        connection = http.client.HTTPSConnection(
            address.hostname or "", address.port, timeout=120, context=self.context
        )
        connection.request("GET", f"{path}{'&' if '?' in path else '?'}watch=true")
        response = connection.getresponse()
        return (json.loads(line) for line in response)

    def sub(self, method: str, kind: str, name: str, action: str, body: Any = None) -> tuple[int, Any]:
        """A subresource in namespace default, as virtctl calls it."""
        return self.call(method, f"{SUBRESOURCES}/default/{kind}/{name}/{action}", body)

    def stream(self, kind: str, name: str, action: str) -> Stream:
        """A stream as virtctl opens it."""
        return open_stream(
            f"{self.server.replace('https', 'wss')}{SUBRESOURCES}/default/{kind}/{name}/{action}",
            ssl=self.context,
            subprotocols=[Subprotocol("plain.kubevirt.io")],
            compression=None,
            max_size=None,
            open_timeout=20,
        )


# What a terminal puts between the characters of a typed line where it wraps or draws it anew.
_WRAPPED = r"(?:[\r\n\b ]|\x1b\[[0-9;?]*[A-Za-z])*"


class Terminal:
    """A guest's serial console behind a stream."""

    def __init__(self, stream: Stream) -> None:
        self.stream = stream
        self.seen = ""

    def write(self, text: str) -> None:
        self.stream.send(text.encode())

    def expect(self, text: str, seconds: float = 60) -> str:
        """What came until ``text`` was seen. Raises: AssertionError with what came instead."""
        deadline = time.monotonic() + seconds
        while text not in self.seen:
            left = deadline - time.monotonic()
            if left <= 0:
                raise AssertionError(f"{text!r} did not come; last came: {self.seen[-2000:]!r}")
            try:
                data = self.stream.recv(timeout=left)
            except TimeoutError:
                continue
            self.seen += data.decode(errors="replace")
        before, _, self.seen = self.seen.partition(text)
        return before

    def wake(self, prompt: str = "# ", seconds: float = 60) -> None:
        """The kernel-boot guest's shell answers, whether it is still booting or waits for Enter."""
        deadline = time.monotonic() + seconds
        while True:
            self.write("\r")
            try:
                self.expect(prompt, 2)
            except AssertionError:
                if time.monotonic() > deadline:
                    raise
            else:
                return

    def log_in(self, user: str = "demo", password: str = "demo") -> None:
        """A shell on the demo guest answers."""
        self.write("\r")
        self.expect("login:")
        self.write(f"{user}\r")
        self.expect("assword:")
        self.write(f"{password}\r")
        self.run("true")

    def run(self, command: str, seconds: float = 60) -> str:
        """What the command printed in the guest's shell."""
        mark = f"done-{time.monotonic_ns()}"
        # The mark is split, so that the echo of the typed line is not taken for the answer.
        typed = f"{mark[:5]}''{mark[5:]}"
        self.write(f"{command}; echo {typed}\r")
        answer = self.expect(mark, seconds)
        return re.split(_WRAPPED.join(map(re.escape, typed)), answer)[-1]


def _trusting(cluster: dict[str, str]) -> ssl.SSLContext:
    return ssl.create_default_context(cadata=base64.b64decode(cluster["certificate-authority-data"]).decode())


def _tls(cluster: dict[str, str], user: dict[str, str]) -> ssl.SSLContext:
    context = _trusting(cluster)
    with tempfile.TemporaryDirectory() as folder:
        certificate, key = Path(folder, "crt"), Path(folder, "key")
        certificate.write_bytes(base64.b64decode(user["client-certificate-data"]))
        key.touch(mode=0o600)
        key.write_bytes(base64.b64decode(user["client-key-data"]))
        context.load_cert_chain(certificate, key)
    return context
