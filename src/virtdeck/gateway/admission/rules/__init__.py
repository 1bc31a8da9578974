"""All rules, in the order in which their causes are told."""

from virtdeck.gateway.admission.rule import Rules
from virtdeck.gateway.admission.rules import (
    architecture,
    clock,
    cloud_init,
    cpu,
    credentials,
    devices,
    disks,
    dns,
    firmware,
    general,
    interfaces,
    memory,
    metadata,
    networks,
    ports,
    probes,
    references,
    scheduling,
    volumes,
)
from virtdeck.gateway.admission.subject import Rule, Subject

# These are brought into the form of VMI_RULES one module after the other.
UNLISTED_RULES: tuple[Rule, ...] = (
    *metadata.RULES,
    *general.RULES,
    *memory.RULES,
    *cpu.RULES,
    *firmware.RULES,
    *devices.RULES,
    *disks.RULES,
    *volumes.RULES,
    *references.RULES,
    *cloud_init.RULES,
    *credentials.RULES,
    *networks.RULES,
    *interfaces.RULES,
    *ports.RULES,
    *probes.RULES,
    *scheduling.RULES,
    *dns.RULES,
)

VMI_RULES: Rules[Subject] = Rules("VMI", clock.RULES, architecture.RULES)
