"""A server that API servers call: webhooks answer what the script says, an aggregated API echoes."""

import json
import ssl
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

from e2e.cluster.certificates import Authority

# Where objects of the script say it is: a Service of type ExternalName in the real cluster.
SERVICE = ("judge", "extension")
NAMES = ("localhost", "127.0.0.1", f"{SERVICE[1]}.{SERVICE[0]}.svc")
GROUP = "echo.example.com"
_HEADERS = ("x-remote-user", "x-remote-group", "x-forwarded-uri", "x-forwarded-for", "accept", "content-type")
_RESOURCES = {
    "kind": "APIResourceList",
    "apiVersion": "v1",
    "groupVersion": f"{GROUP}/v1",
    "resources": [
        {
            "name": "things",
            "singularName": "thing",
            "namespaced": True,
            "kind": "Thing",
            "verbs": ["get", "list"],
        }
    ],
}


class Extension:
    """Serves in a thread until closed. answers: webhook path to response without uid; asked: what came."""

    def __init__(self, authority: Authority) -> None:
        self.answers: dict[str, Any] = {}
        self.asked: dict[str, list[Any]] = {}
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        serving = authority.server("judge-extension", NAMES)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(serving.crt, serving.key)
        self._server.socket = context.wrap_socket(
            self._server.socket, server_side=True, do_handshake_on_connect=False
        )
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def review(self, path: str, review: Any) -> Any:
        """The answer to an AdmissionReview; the question is remembered."""
        self.asked.setdefault(path, []).append(review)
        answer = self.answers.get(path, {"allowed": True})
        if "raw" in answer:
            return answer["raw"]
        response = {"uid": review["request"]["uid"], **answer}
        return {"apiVersion": review["apiVersion"], "kind": "AdmissionReview", "response": response}

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, format: str, *args: Any) -> None:
                """The script reads ``asked`` instead."""

            def do_GET(self) -> None:
                self._echo(b"")

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
                path = urlsplit(self.path).path
                if path.startswith("/webhook/"):
                    self._answer(200, outer.review(path, json.loads(body)))
                else:
                    self._echo(body)

            do_PUT = do_PATCH = do_DELETE = do_POST

            def _echo(self, body: bytes) -> None:
                if self.path.partition("?")[0] == f"/apis/{GROUP}/v1":
                    self._answer(200, _RESOURCES)
                    return
                headers = sorted([n.lower(), v] for n, v in self.headers.items() if n.lower() in _HEADERS)
                told = {"method": self.command, "path": self.path, "headers": headers, "body": body.decode()}
                self._answer(418 if "teapot" in self.path else 200, told)

            def _answer(self, code: int, body: Any) -> None:
                data = json.dumps(body).encode()
                self.send_response(code)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

        return Handler
