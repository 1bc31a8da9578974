"""Two examples for each rule, as data keyed by its id: one module an area, joined here."""

from tests.unit.gateway.admission.examples import (
    architectures,
    changes,
    copies,
    firmwares,
    general,
    hand_outs,
    hardware,
    machines,
    migrations,
    network,
    replicas,
    storage,
    virtual_machines,
)
from tests.unit.gateway.admission.examples.example import Example

EXAMPLES: dict[str, Example] = {
    **general.EXAMPLES,
    **machines.EXAMPLES,
    **firmwares.EXAMPLES,
    **architectures.EXAMPLES,
    **hardware.EXAMPLES,
    **storage.EXAMPLES,
    **network.EXAMPLES,
    **virtual_machines.EXAMPLES,
    **changes.EXAMPLES,
    **replicas.EXAMPLES,
    **migrations.EXAMPLES,
    **copies.EXAMPLES,
    **hand_outs.EXAMPLES,
}
