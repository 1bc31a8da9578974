"""Finds the presets that a new VMI gets values from."""

from copy import deepcopy

from virtdeck.basis.errors import Unready
from virtdeck.crds.plain import Plain
from virtdeck.gateway.admission.defaults.presets import DEFAULTS, RULES, PresetDraft, matching
from virtdeck.gateway.caches import GatewayCaches
from virtdeck.gateway.webhooks.review import Outcome


class Presets:
    """The presets of every namespace, as virt-api knows them."""

    def __init__(self, caches: GatewayCaches) -> None:
        self._cache = caches.presets

    def merged(self, vmi: Plain, namespace: str) -> Outcome:
        """The VMI with what its presets give, or why they cannot; without an object when there is none.

        Raises: Unready before the presets could be seen.
        """
        if not self._cache.synced:
            raise Unready("virt-api has not yet seen which presets there are")
        if not len(self._cache):
            return Outcome()
        here = (found for found in self._cache.all() if found["metadata"].get("namespace") == namespace)
        presets = matching(vmi, here)
        if not presets or not isinstance(vmi.get("spec"), dict):
            return Outcome()
        draft = PresetDraft(deepcopy(vmi), presets)
        causes = tuple(RULES.ask(draft))
        if not causes:
            DEFAULTS.fill(draft)
        return Outcome(causes, obj=draft.vmi)
