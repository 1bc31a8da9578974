"""Which rule answers at which path; the paths are those of ``install.webhooks``."""

from collections.abc import Callable

from virtdeck.crds.codec import decode
from virtdeck.crds.kubevirt.vm import VirtualMachine
from virtdeck.gateway.admission import (
    ClusterConfig,
    Verdict,
    mutate_vm,
    mutate_vmi,
    validate_launcher_pod,
    validate_vm,
    validate_vm_delete,
    validate_vm_status,
    validate_vmi_create,
    validate_vmi_update,
)
from virtdeck.gateway.admission.decoding import vm_or_causes
from virtdeck.gateway.admission.defaults.fresh import fresh
from virtdeck.gateway.admission.defaults.vm import name_what_is_inferred
from virtdeck.gateway.admission.kinds.instancetype import validate_instancetype
from virtdeck.gateway.admission.kinds.preference import validate_preference
from virtdeck.gateway.auth.user import User
from virtdeck.gateway.context import Context
from virtdeck.gateway.inference import Inference
from virtdeck.gateway.installed import installed_cluster
from virtdeck.gateway.webhooks.app import Hook
from virtdeck.gateway.webhooks.kind_hooks import kind_hooks
from virtdeck.gateway.webhooks.outcomes import object_of, outcome_of
from virtdeck.gateway.webhooks.presets import Presets
from virtdeck.gateway.webhooks.review import Outcome, Plain, Review

Validate = Callable[[Plain, Plain | None, User, ClusterConfig], Verdict]


def make_hooks(context: Context) -> dict[str, Hook]:
    """All webhooks by path."""
    hooks = _Hooks(context)
    return {
        "/virtualmachines-mutate": hooks.mutate_vm,
        "/virtualmachineinstances-mutate": hooks.mutate_vmi,
        "/virtualmachines-validate": hooks.validate_vm,
        "/virtualmachines-validate-status": hooks.validate_vm_status,
        "/virtualmachines-validate-delete": hooks.validate_vm_delete,
        "/virtualmachineinstances-validate-create": hooks.validating(validate_vmi_create),
        "/virtualmachineinstances-validate-update": hooks.validating(validate_vmi_update),
        "/virtualmachineinstancetypes-validate": hooks.validating(validate_instancetype),
        "/virtualmachineclusterinstancetypes-validate": hooks.validating(validate_instancetype),
        "/virtualmachinepreferences-validate": hooks.validating(validate_preference),
        "/virtualmachineclusterpreferences-validate": hooks.validating(validate_preference),
        "/launcher-pods-validate": hooks.validating(validate_launcher_pod),
        **kind_hooks(context),
    }


class _Hooks:
    """The rules with the installation's configuration at hand."""

    def __init__(self, context: Context) -> None:
        self._caches = context.caches
        self._clock = context.clock
        self._namespace = context.settings.namespace
        self._instancetypes = context.instancetypes
        self._inference = Inference(context.client)
        self._presets = Presets(context.caches)

    async def mutate_vm(self, review: Review) -> Outcome:
        """Who cannot be read, the API server refuses; what cannot be inferred is refused here."""
        obj, preference = object_of(review), None
        vm = vm_or_causes(obj)
        if not isinstance(vm, tuple) and (vm.spec.instancetype or vm.spec.preference):
            inferred = await self._inference.infer(vm, review.namespace)
            causes = tuple(found.cause for found in inferred.values() if found.cause)
            if causes:
                return Outcome(causes)
            obj = name_what_is_inferred(obj, inferred)
            named = decode(obj, VirtualMachine) if inferred else vm
            preference = await self._instancetypes.preference(named, review.namespace)
        return Outcome(obj=mutate_vm(obj, review.old, self._cluster(), fresh(self._clock), preference))

    async def validate_vm(self, review: Review) -> Outcome:
        obj = object_of(review)
        choice = await self._instancetypes.choose_for(obj, review.namespace)
        return outcome_of(validate_vm(obj, review.old, review.user, self._cluster(), choice))

    def validate_vm_status(self, review: Review) -> Outcome:
        running = self._caches.vmis.get(review.namespace, review.name)
        cluster = self._cluster()
        return outcome_of(validate_vm_status(object_of(review), review.old, review.user, cluster, running))

    def validate_vm_delete(self, review: Review) -> Outcome:
        return outcome_of(validate_vm_delete(review.old or {}, review.user, self._cluster()))

    def mutate_vmi(self, review: Review) -> Outcome:
        given = object_of(review)
        if review.old is None:
            told = self._presets.merged(given, review.namespace)
            if told.causes:
                return told
            given = told.obj or given
        obj = mutate_vmi(given, review.old, review.user, self._cluster(), fresh(self._clock))
        return Outcome(obj=obj)

    def validating(self, validate: Validate) -> Hook:
        """The rule as a hook."""

        def hook(review: Review) -> Outcome:
            return outcome_of(validate(object_of(review), review.old, review.user, self._cluster()))

        return hook

    def _cluster(self) -> ClusterConfig:
        return installed_cluster(self._caches, self._namespace)
