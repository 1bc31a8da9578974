"""All rules that a VMI's spec must pass, in the order in which their causes are told."""

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
    scheduling,
    volumes,
)
from virtdeck.gateway.admission.subject import Rule

VMI_RULES: tuple[Rule, ...] = (
    *metadata.RULES,
    *general.RULES,
    *memory.RULES,
    *cpu.RULES,
    *firmware.RULES,
    *clock.RULES,
    *architecture.RULES,
    *devices.RULES,
    *disks.RULES,
    *volumes.RULES,
    *cloud_init.RULES,
    *credentials.RULES,
    *networks.RULES,
    *interfaces.RULES,
    *ports.RULES,
    *probes.RULES,
    *scheduling.RULES,
    *dns.RULES,
)
