"""Two examples for each rule, as data keyed by its id: one module an area, joined here."""

from tests.unit.gateway.admission.examples import (
    architectures,
    beside,
    changes,
    copies,
    evictions,
    firmwares,
    general,
    hand_outs,
    hardware,
    installations,
    machines,
    matchers,
    migrations,
    network,
    presets,
    replicas,
    storage,
    templates,
    virtual_machines,
)
from tests.unit.gateway.admission.examples import defaults as filled
from tests.unit.gateway.admission.examples.defaults import Filled
from tests.unit.gateway.admission.examples.example import Example

__all__ = ["DEFAULT_EXAMPLES", "EXAMPLES"]

EXAMPLES: dict[str, Example] = {
    **general.EXAMPLES,
    **machines.EXAMPLES,
    **firmwares.EXAMPLES,
    **architectures.EXAMPLES,
    **hardware.EXAMPLES,
    **storage.EXAMPLES,
    **templates.EXAMPLES,
    **network.EXAMPLES,
    **virtual_machines.EXAMPLES,
    **changes.EXAMPLES,
    **matchers.EXAMPLES,
    **beside.EXAMPLES,
    **replicas.EXAMPLES,
    **presets.EXAMPLES,
    **migrations.EXAMPLES,
    **copies.EXAMPLES,
    **hand_outs.EXAMPLES,
    **installations.EXAMPLES,
    **evictions.EXAMPLES,
}
DEFAULT_EXAMPLES: dict[str, Filled] = {**filled.DEFAULT_EXAMPLES, **matchers.DEFAULT_EXAMPLES}
