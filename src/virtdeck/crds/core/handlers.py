"""How a probe asks: a command, an HTTP request or a TCP connection."""

from typing import Annotated

from virtdeck.crds.model import Model, one_of
from virtdeck.crds.scalars import IntOrString


class ExecAction(Model, frozen=True, kw_only=True):
    """TBD"""

    command: tuple[str, ...] | None = None


class HTTPHeader(Model, frozen=True, kw_only=True):
    """TBD"""

    name: str
    value: str


class HTTPGetAction(Model, frozen=True, kw_only=True):
    """TBD"""

    host: str | None = None
    http_headers: tuple[HTTPHeader, ...] | None = None
    path: str | None = None
    port: IntOrString
    scheme: Annotated[str | None, one_of("HTTP", "HTTPS")] = None


class TCPSocketAction(Model, frozen=True, kw_only=True):
    """TBD"""

    host: str | None = None
    port: IntOrString
