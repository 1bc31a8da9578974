"""What every handler of a request works with."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from virtdeck.basis.clock import Clock
from virtdeck.standalone.apiserver.resources.registry import Registry
from virtdeck.standalone.apiserver.storage.store import Store

if TYPE_CHECKING:
    from virtdeck.standalone.apiserver.access.rbac import Authorizer
    from virtdeck.standalone.apiserver.access.tokens import Tokens
    from virtdeck.standalone.apiserver.admission.ledger import Ledger
    from virtdeck.standalone.apiserver.aggregation.upstream import Upstreams
    from virtdeck.standalone.apiserver.conversion.conversions import Conversions
    from virtdeck.standalone.apiserver.settings import Settings
    from virtdeck.standalone.apiserver.verbs.deletion import Deleter
    from virtdeck.standalone.apiserver.verbs.pipeline import Pipeline


@dataclass(frozen=True)
class Service:
    """The parts of the server, put together in ``main``."""

    settings: "Settings"
    clock: Clock
    store: Store
    registry: Registry
    pipeline: "Pipeline"
    deleter: "Deleter"
    authorizer: "Authorizer"
    tokens: "Tokens"
    ledger: "Ledger"
    conversions: "Conversions"
    upstreams: "Upstreams"
