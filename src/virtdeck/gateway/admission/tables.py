"""All tables of defaults and rules; RULES.md and the tests read what stands here."""

from typing import Any

from virtdeck.gateway.admission.default import Defaults
from virtdeck.gateway.admission.rule import Rules
from virtdeck.gateway.admission.rules import VMI_RULES

DEFAULTS: tuple[Defaults[Any], ...] = ()
RULES: tuple[Rules[Any], ...] = (VMI_RULES,)
