"""Two examples for each rule, as data keyed by its id: one module an area, joined here."""

from tests.unit.gateway.admission.examples import architectures, copies, hand_outs, migrations, replicas
from tests.unit.gateway.admission.examples.example import Example

EXAMPLES: dict[str, Example] = {
    **architectures.EXAMPLES,
    **replicas.EXAMPLES,
    **migrations.EXAMPLES,
    **copies.EXAMPLES,
    **hand_outs.EXAMPLES,
}
