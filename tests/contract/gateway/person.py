"""A person's browser, as far as virt-api can tell: cookies, origin, and forms."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit

import aiohttp
import anyio
from tests.contract.gateway.instance import Running

from virtdeck.serving.tls import client_context


@asynccontextmanager
async def http_session(*args: Any, **options: Any) -> AsyncIterator[aiohttp.ClientSession]:
    """A session whose connections are closed at the end, and not only told to."""
    async with aiohttp.ClientSession(*args, **options) as session:
        yield session
    for _ in range(10):  # aiohttp leaves the closing of TLS to the event loop
        await anyio.sleep(0.001)


@dataclass
class Person:
    """One browser."""

    instance: Running
    http: aiohttp.ClientSession

    @classmethod
    @asynccontextmanager
    async def opened(cls, instance: Running) -> AsyncIterator[Self]:
        jar = aiohttp.CookieJar(unsafe=True)  # addresses have cookies too
        async with http_session(instance.public, cookie_jar=jar) as http:
            yield cls(instance, http)

    @property
    def own(self) -> dict[str, str]:
        """What a browser adds to requests of our own pages."""
        return {"Origin": self.instance.public, "Sec-Fetch-Site": "same-origin"}

    async def new_link(self, name: str = "admin") -> str:
        """The code of a one-time link, made with this client certificate."""
        pki = self.instance.pki
        context = client_context(str(pki / "component-ca.crt"), f"{pki}/{name}.crt", f"{pki}/{name}.key")
        url = f"{self.instance.internal}/auth/login-links"
        async with self.http.post(url, ssl=context) as response:
            made = await response.json()
            assert response.status == 201, made
        link: str = parse_qs(urlsplit(made["url"]).query)["link"][0]
        return link

    async def log_in(self, **form: str) -> int:
        """The code that the login was answered with; by a new link unless the form says otherwise."""
        data = form or {"link": await self.new_link()}
        async with self.http.post("/login", data=data, headers=self.own, allow_redirects=False) as response:
            return response.status

    async def csrf(self) -> str:
        """The token that our pages repeat."""
        async with self.http.get("/docs") as response:
            found = re.search(r'name="csrf" content="([0-9a-f]*)"', await response.text())
        return found[1] if found else ""

    async def mutate(self, method: str, path: str, **options: Any) -> tuple[int, Any]:
        """A mutation by one of our own pages' scripts."""
        headers = {**self.own, "X-CSRF-Token": await self.csrf()} | options.pop("headers", {})
        async with self.http.request(method, path, headers=headers, **options) as response:
            body = await response.read()
            is_json = response.content_type == "application/json" and body
            return response.status, await response.json() if is_json else body
