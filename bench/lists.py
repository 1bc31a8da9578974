"""The VM list page with many machines."""

import gzip
import http.client
import json
import time
from dataclasses import dataclass
from http.cookiejar import CookieJar
from urllib.request import HTTPCookieProcessor, OpenerDirector, Request, build_opener

from e2e.api import Api
from e2e.machines import kernel_boot_vm
from e2e.product import Product, until

COLLECTION = "/apis/kubevirt.io/v1/namespaces/default/virtualmachines"
ROWS = 50  # on a page


@dataclass(frozen=True)
class Page:
    """Times of whole requests from a client on this host, in milliseconds."""

    p50_ms: float
    p95_ms: float
    gzip_bytes: int


def list_page(product: Product, api: Api, machines: int, requests: int) -> Page:
    """The page as a logged-in browser asks for it, with this many stopped machines there."""
    present = int(product.kubectl("get", "vm", "-o", "name").count("\n"))
    for number in range(present, machines):
        code, answer = api.call("POST", COLLECTION, json.loads(kernel_boot_vm(f"many-{number:05}", "Halted")))
        if code != http.client.CREATED:
            raise RuntimeError(f"the API answered {code}: {answer}")
    browser = logged_in(product)
    until(lambda: len(read(browser, product, "?status=stopped")), lambda size: size > 20_000, 60)
    time.sleep(5)
    times, body = [], b""
    for number in range(requests):
        started = time.monotonic()
        body = read(browser, product, f"?sort=name&page={number % 10 + 1}", packed=True)
        times.append((time.monotonic() - started) * 1000)
        if gzip.decompress(body).count(b"/vms/many-") < ROWS:
            raise RuntimeError("the page does not show the machines that were made")
    times.sort()
    return Page(times[len(times) // 2], times[int(len(times) * 0.95)], len(body))


@dataclass(frozen=True)
class Browser:
    """A client with a session."""

    opener: OpenerDirector
    cookies: CookieJar


def logged_in(product: Product) -> Browser:
    """A client that has used a login link."""
    cookies = CookieJar()
    opener = build_opener(HTTPCookieProcessor(cookies))
    link = product.login_link()
    code = link.partition("link=")[2]
    request = Request(f"{product.url}/login", data=f"link={code}".encode(), headers={"Origin": product.url})
    opener.open(request, timeout=30).read()
    return Browser(opener, cookies)


def read(browser: Browser, product: Product, query: str, *, packed: bool = False) -> bytes:
    """The list page; packed: gzipped, as browsers ask for it."""
    headers = {"Accept-Encoding": "gzip"} if packed else {}
    body: bytes = browser.opener.open(
        Request(f"{product.url}/vms{query}", headers=headers), timeout=60
    ).read()
    return body
