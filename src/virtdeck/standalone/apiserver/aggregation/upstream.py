"""Servers that this one calls: webhooks and those behind APIServices, found and trusted."""

import ssl
from functools import cached_property
from typing import Any
from urllib.parse import urlsplit

from virtdeck.basis.errors import Lost
from virtdeck.serving.renewal import RenewedContext
from virtdeck.standalone.apiserver.aggregation.http_client import Endpoint, HttpClient
from virtdeck.standalone.apiserver.resources.registry import Delegate
from virtdeck.standalone.apiserver.settings import Settings


class Upstreams:
    """Endpoints by Service or URL, and the client to reach them."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._contexts: dict[tuple[bytes | None, str, str], ssl.SSLContext] = {}

    @cached_property
    def client(self) -> HttpClient:
        return HttpClient()

    def delegate(self, delegate: Delegate) -> Endpoint:
        """The server behind an APIService, which sees our front-proxy certificate. Raises: Lost."""
        settings = self._settings
        context = self._context(delegate.ca, settings.front_proxy_cert, settings.front_proxy_key)
        return self._service(delegate.service, context)

    def webhook(self, client: dict[str, Any], ca: bytes | None) -> tuple[Endpoint, str]:
        """The webhook of a ``clientConfig``, and the path to call. Raises: Lost."""
        if url := client.get("url"):
            return self.webhook_url(url, ca)
        service = client.get("service") or {}
        endpoint = self.webhook_service(service.get("namespace", ""), service.get("name", ""), ca)
        return endpoint, service.get("path") or "/"

    def webhook_service(self, namespace: str, name: str, ca: bytes | None) -> Endpoint:
        """The webhook behind a Service. Raises: Lost."""
        context = self._context(ca, self._settings.webhook_cert, self._settings.webhook_key)
        return self._service(f"{namespace}/{name}", context)

    def webhook_url(self, url: str, ca: bytes | None) -> tuple[Endpoint, str]:
        """The webhook at an https URL, and the path to call. Raises: Lost."""
        parts = urlsplit(url)
        if parts.scheme != "https" or not parts.hostname:
            raise Lost(f"{url} is no https URL")
        context = self._context(ca, self._settings.webhook_cert, self._settings.webhook_key)
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        return Endpoint(parts.hostname, parts.port or 443, context, parts.hostname), path

    def _service(self, service: str, context: ssl.SSLContext) -> Endpoint:
        namespace, _, name = service.partition("/")
        address = self._settings.service_resolver.get(f"{name}.{namespace}")
        if address is None:
            raise Lost(f'service "{name}" in namespace "{namespace}" has no address here')
        host, _, port = address.rpartition(":")
        return Endpoint(host.strip("[]"), int(port), context, f"{name}.{namespace}.svc")

    def _context(self, ca: bytes | None, cert: str, key: str) -> ssl.SSLContext:
        known = (ca, cert, key)
        if known not in self._contexts:
            self._contexts[known] = _make_context(ca, cert, key)
        return self._contexts[known]


def _make_context(ca: bytes | None, cert: str, key: str) -> ssl.SSLContext:
    context = RenewedContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_alpn_protocols(["http/1.1"])
    try:
        if ca is None:
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
        elif ca:
            context.load_verify_locations(cadata=ca.decode("ascii", "ignore"))
        else:
            context.load_default_certs()
        context.follow(cert or None, key)
    except (ssl.SSLError, OSError) as fault:
        raise Lost(f"its certificates cannot be used: {fault}") from fault
    return context
