"""What endpoints of the gateway are handed: one frozen value, made once by ``main``."""

from dataclasses import dataclass

from virtdeck.basis.clock import Clock
from virtdeck.gateway.auth.reviews import AccessReviews, TokenReviews
from virtdeck.gateway.auth.session import Gatekeeper
from virtdeck.gateway.auth.sessions import Sessions
from virtdeck.gateway.auth.user import User, client_as
from virtdeck.gateway.auth.vault import Vault
from virtdeck.gateway.caches import GatewayCaches
from virtdeck.gateway.handlers import Handlers
from virtdeck.gateway.instancetypes import Instancetypes
from virtdeck.gateway.settings import GatewaySettings
from virtdeck.kube.client import Client


@dataclass(frozen=True)
class Context:
    """client: virt-api's own identity, for its caches, reviews and codes. Users act by ``client_as``."""

    settings: GatewaySettings
    clock: Clock
    client: Client
    caches: GatewayCaches
    reviews: AccessReviews
    tokens: TokenReviews
    sessions: Sessions
    vault: Vault
    gatekeeper: Gatekeeper
    handlers: Handlers
    instancetypes: Instancetypes

    def client_as(self, user: User) -> Client:
        """The API as this user sees it."""
        return client_as(self.client, user)
