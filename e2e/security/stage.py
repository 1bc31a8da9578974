"""The attacker's means: certificates, tokens, and two projects of which only one is theirs."""

import json
import ssl
from dataclasses import dataclass
from typing import Any

from e2e.api import Api
from e2e.product import Product
from e2e.web import Answer, ask

MINE, THEIRS = "sec-mine", "sec-theirs"
PASSWORD = "canary-6c1f8d2e-password"
SUBRESOURCES = "/apis/subresources.kubevirt.io/v1/namespaces"
INSTANCES = "/apis/kubevirt.io/v1/namespaces/{}/virtualmachineinstances"
MACHINES = "/apis/kubevirt.io/v1/namespaces/{}/virtualmachines"


@dataclass
class Stage:
    """Two projects with a guest each, and accounts with rights in the first alone."""

    product: Product
    api: Api
    tokens: dict[str, str]

    def certificate(self, name: str) -> ssl.SSLContext:
        """A client with this certificate of the instance, which trusts all of its authorities."""
        pki = self.product.state / "pki"
        authorities = "".join((pki / f"{ca}.crt").read_text() for ca in ("ca", "component-ca"))
        context = ssl.create_default_context(cadata=authorities)
        if name:
            context.load_cert_chain(pki / f"{name}.crt", pki / f"{name}.key")
        return context

    def port(self, name: str) -> int:
        found: int = json.loads((self.product.state / "instance.json").read_text())[f"{name}Port"]
        return found

    def as_account(self, account: str, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        """A request to the API server with the account's token."""
        sent = {"Authorization": f"Bearer {self.tokens[account]}", "Content-Type": "application/json"}
        text = None if body is None else json.dumps(body)
        return ask(self.api.server + path, method, sent | headers, text, self.certificate(""))

    def at_facade(self, account: str, method: str, path: str, body: Any = None) -> Answer:
        sent = {"Authorization": f"Bearer {self.tokens[account]}", "Content-Type": "application/json"}
        return ask(self.product.url + path, method, sent, None if body is None else json.dumps(body))
