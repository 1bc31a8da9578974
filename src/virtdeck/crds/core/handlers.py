"""How a probe asks: a command, an HTTP request or a TCP connection."""

from typing import Annotated

from virtdeck.crds.model import Model, doc, one_of
from virtdeck.crds.scalars import IntOrString


class ExecAction(Model, frozen=True, kw_only=True):
    """A command whose exit code 0 means well."""

    command: Annotated[tuple[str, ...] | None, doc("Program and arguments; there is no shell.")] = None


class HTTPHeader(Model, frozen=True, kw_only=True):
    """One header of a request."""

    name: Annotated[str, doc("Name of the header.")]
    value: Annotated[str, doc("Value of the header.")]


class HTTPGetAction(Model, frozen=True, kw_only=True):
    """A request whose answer 200 to 399 means well."""

    host: Annotated[str | None, doc("Host that is asked; the pod's address when empty.")] = None
    http_headers: Annotated[tuple[HTTPHeader, ...] | None, doc("Further headers.")] = None
    path: Annotated[str | None, doc("Path that is asked for.")] = None
    port: Annotated[IntOrString, doc("Number or name of the port.")]
    scheme: Annotated[str | None, one_of("HTTP", "HTTPS"), doc("With or without TLS.")] = None


class TCPSocketAction(Model, frozen=True, kw_only=True):
    """A connection that, when it opens, means well."""

    host: Annotated[str | None, doc("Host that is dialled; the pod's address when empty.")] = None
    port: Annotated[IntOrString, doc("Number or name of the port.")]
