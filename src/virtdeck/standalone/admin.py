"""The command line's own door to the instance's API server, as its administrator."""

import http.client
import json
import ssl
from typing import Any

from virtdeck.basis.errors import Absent, HostFault
from virtdeck.standalone.instance import Instance
from virtdeck.standalone.state import StateFolder


class AdminApi:
    """Plain requests over HTTPS with the administrator's certificate; one connection, kept open."""

    def __init__(self, state: StateFolder, instance: Instance, timeout_seconds: float = 10.0) -> None:
        context = ssl.create_default_context(cafile=str(state.path("pki", "ca.crt")))
        context.load_cert_chain(state.path("pki", "admin.crt"), state.path("pki", "admin.key"))
        self._connection = http.client.HTTPSConnection(
            "127.0.0.1", instance.apiserver_port, timeout=timeout_seconds, context=context
        )

    def call(self, method: str, path: str, body: dict[str, Any] | None = None) -> tuple[int, bytes]:
        """Status code and body. Raises: Absent when the API server does not answer."""
        content = None if body is None else json.dumps(body)
        try:
            self._connection.request(method, path, body=content, headers={"Content-Type": "application/json"})
            response = self._connection.getresponse()
            return response.status, response.read()
        except OSError as fault:
            self._connection.close()
            raise Absent(f"the API server does not answer ({fault}); ./virtdeck status tells more") from fault

    def read(self, path: str) -> dict[str, Any]:
        """The object or list at the path. Raises: Absent, HostFault."""
        status, body = self.call("GET", path)
        if status == http.client.NOT_FOUND:
            raise Absent(f"{path} is not there")
        if status != http.client.OK:
            raise HostFault(
                f"the API server answered {status} to GET {path}: {body[:300].decode(errors='replace')}"
            )
        found = json.loads(body)
        if not isinstance(found, dict):
            raise HostFault(f"the API server answered GET {path} with something that is no object")
        return found

    def close(self) -> None:
        """The connection is closed."""
        self._connection.close()
