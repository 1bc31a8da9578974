"""The console as raw HTTP: what a browser, a program or an attacker may send, byte by byte."""

import http.client
import json
import re
import ssl
import time
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode, urlsplit

from e2e.product import Product
from e2e.streams import Stream, open_stream
from websockets.exceptions import InvalidStatus


@dataclass
class Answer:
    """What came back."""

    code: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode(errors="replace")

    @property
    def json(self) -> Any:
        return json.loads(self.body)


def ask(
    url: str,
    method: str = "GET",
    headers: dict[str, str] | None = None,
    body: bytes | str | None = None,
    context: ssl.SSLContext | None = None,
    patience: float | None = None,
) -> Answer:
    """One request on a connection of its own; redirects are not followed.

    patience: of a stream, what comes in so many seconds is enough.
    """
    parts = urlsplit(url)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    options: dict[str, Any] = {"context": context} if parts.scheme == "https" else {}
    connection = kind(parts.hostname or "", parts.port, timeout=20, **options)
    try:
        path = parts.path + (f"?{parts.query}" if parts.query else "")
        connection.request(method, path or "/", body=body, headers=headers or {})
        response = connection.getresponse()
        given = {name.lower(): value for name, value in response.getheaders()}
        content = response.read(1 << 22) if patience is None else _read_for(connection, response, patience)
        return Answer(response.status, given, content)
    finally:
        connection.close()


def _read_for(
    connection: http.client.HTTPConnection, response: http.client.HTTPResponse, seconds: float
) -> bytes:
    found, deadline = b"", time.monotonic() + seconds
    while (left := deadline - time.monotonic()) > 0:
        connection.sock.settimeout(left)
        try:
            piece = response.read1(65536)
        except TimeoutError:
            break
        if not piece:
            break
        found += piece
    return found


@dataclass
class Browser:
    """A browser without scripts: it keeps the session's cookie and says whose page sends."""

    product: Product
    cookie: str = ""
    tokens: list[str] = field(default_factory=list)

    @property
    def own(self) -> dict[str, str]:
        return {"Origin": self.product.url}

    def log_in(self, **form: str) -> Answer:
        """Logs in by one-time link, or by what the form says instead."""
        given = form or {"link": self.product.login_link().partition("link=")[2]}
        answer = self.post("/login", given)
        self.cookie = answer.headers.get("set-cookie", "").partition(";")[0]
        return answer

    def get(self, path: str, **headers: str) -> Answer:
        return ask(self.product.url + path, headers={"Cookie": self.cookie, "Accept": "text/html"} | headers)

    def post(self, path: str, form: dict[str, str], headers: dict[str, str] | None = None) -> Answer:
        sent = {"Cookie": self.cookie, "Accept": "text/html", **(self.own if headers is None else headers)}
        sent["Content-Type"] = "application/x-www-form-urlencoded"
        return ask(self.product.url + path, "POST", sent, urlencode(form))

    def csrf(self) -> str:
        """The token that this session's pages repeat."""
        found = re.search(r'name="csrf"[^>]*(?:content|value)="([0-9a-f]+)"', self.get("/vms/new").text)
        return found[1] if found else ""

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        """What a script of our own page sends."""
        sent = {"Cookie": self.cookie, "X-CSRF-Token": self.csrf(), **self.own} | headers
        sent["Content-Type"] = "application/json"
        return ask(self.product.url + path, method, sent, None if body is None else json.dumps(body))

    def ticket(self, namespace: str, name: str, kind: str = "console") -> str:
        answer = self.call("POST", "/ws-tickets", {"namespace": namespace, "name": name, "kind": kind})
        code: str = answer.json["ticket"]
        self.tokens.append(code)
        return code

    def console(self, namespace: str, name: str, ticket: str, **headers: str) -> Stream:
        """The serial console as a page opens it. Raises: InvalidStatus when refused outright."""
        server = self.product.url.replace("http", "ws", 1)
        return open_stream(
            f"{server}/ws/ns/{namespace}/vms/{name}/console?ticket={ticket}",
            additional_headers={"Cookie": self.cookie} | headers,
            compression=None,
            open_timeout=20,
            proxy=None,
        )

    def refused(self, namespace: str, name: str, ticket: str, **headers: str) -> int:
        """The status code that the console is refused with; 0 when it is not."""
        try:
            with self.console(namespace, name, ticket, **headers):
                return 0
        except InvalidStatus as fault:
            return fault.response.status_code
