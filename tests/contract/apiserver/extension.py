"""An extension server: answers webhooks and an aggregated API over TLS, and remembers what it was asked."""

import base64
import hashlib
import json
import ssl
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from virtdeck.standalone.state import StateFolder

Obj = dict[str, Any]
Verdict = Callable[[Obj], Obj]
GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"


class Extension:
    """Serves in a thread. verdicts: webhook path to what it answers for a request."""

    def __init__(self, state: StateFolder) -> None:
        self.verdicts: dict[str, Verdict] = {}
        self.asked: list[Obj] = []
        self.headers: list[list[tuple[str, str]]] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        pki = state.path("pki")
        context.load_cert_chain(pki / "gateway-internal.crt", pki / "gateway-internal.key")
        context.load_verify_locations(pki / "front-proxy-ca.crt")
        context.load_verify_locations(pki / "component-ca.crt")
        context.verify_mode = ssl.CERT_REQUIRED
        # Handshakes belong to each connection's thread: one that dawdles must not keep the others out.
        self._server.socket = context.wrap_socket(
            self._server.socket, server_side=True, do_handshake_on_connect=False
        )
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self._server.server_address[1]}"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, format: str, *args: Any) -> None:
                """Tests read ``asked`` instead."""

            def do_POST(self) -> None:
                length = int(self.headers.get("content-length", 0))
                body = self.rfile.read(length)
                path = self.path.partition("?")[0]
                if path not in outer.verdicts:
                    self._echo(body)
                    return
                request = json.loads(body)["request"]
                outer.asked.append(request)
                response = {"uid": request["uid"], **outer.verdicts[path](request)}
                self._answer(
                    200,
                    {"kind": "AdmissionReview", "apiVersion": "admission.k8s.io/v1", "response": response},
                )

            def do_GET(self) -> None:
                if self.headers.get("upgrade", "").lower() == "websocket":
                    self._websocket()
                elif self.path.endswith("/redirect"):
                    self.send_response(302)
                    self.send_header("Location", "https://127.0.0.1:1/")
                    self.send_header("Content-Length", "0")
                    self.end_headers()
                elif self.path == "/apis/sub.example.com/v1":
                    resources = [
                        {
                            "name": "things/go",
                            "singularName": "",
                            "namespaced": True,
                            "kind": "",
                            "verbs": ["get"],
                        }
                    ]
                    self._answer(
                        200,
                        {
                            "kind": "APIResourceList",
                            "groupVersion": "sub.example.com/v1",
                            "resources": resources,
                        },
                    )
                else:
                    self._echo(b"")

            do_PUT = do_POST

            def _echo(self, body: bytes) -> None:
                outer.headers.append(list(self.headers.items()))
                self._answer(200, {"path": self.path, "body": body.decode(), "method": self.command})

            def _answer(self, code: int, body: Obj) -> None:
                data = json.dumps(body).encode()
                self.send_response(code)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def _websocket(self) -> None:
                outer.headers.append(list(self.headers.items()))
                if self.path.endswith("/refuse"):
                    self._answer(409, {"kind": "Status", "message": "not now"})
                    return
                digest = hashlib.sha1(self.headers["sec-websocket-key"].encode() + GUID).digest()
                self.send_response(101)
                self.send_header("Upgrade", "websocket")
                self.send_header("Connection", "Upgrade")
                self.send_header("Sec-WebSocket-Accept", base64.b64encode(digest).decode())
                self.send_header("Sec-WebSocket-Protocol", "plain.kubevirt.io")
                self.end_headers()
                if self.path.endswith("/drop"):
                    self.close_connection = True  # as when the server is killed
                else:
                    self._echo_frames()

            def _echo_frames(self) -> None:
                self.close_connection = True
                while head := self.rfile.read(2):
                    length = head[1] & 127
                    if length >= 126:
                        length = int.from_bytes(self.rfile.read(2 if length == 126 else 8), "big")
                    mask = self.rfile.read(4)
                    payload = self.rfile.read(length)
                    plain = bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload))
                    size = _encoded_length(length)
                    self.wfile.write(bytes([head[0]]) + size + plain)
                    if head[0] & 15 == 8:
                        return

        return Handler


def _encoded_length(length: int) -> bytes:
    if length < 126:
        return bytes([length])
    return b"\x7f" + length.to_bytes(8, "big") if length >> 16 else b"\x7e" + length.to_bytes(2, "big")
