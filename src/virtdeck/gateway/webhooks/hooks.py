"""Which rule answers at which path; the paths are those of ``install.webhooks``."""

from collections.abc import Callable
from typing import Any

from virtdeck.basis.errors import Invalid, Unready
from virtdeck.gateway.admission import (
    ClusterConfig,
    Verdict,
    mutate_vm,
    mutate_vmi,
    validate_kubevirt_create,
    validate_kubevirt_delete,
    validate_kubevirt_update,
    validate_launcher_pod,
    validate_vm,
    validate_vmi_create,
    validate_vmi_update,
)
from virtdeck.gateway.admission.cluster import cluster_config
from virtdeck.gateway.admission.defaults.fresh import fresh
from virtdeck.gateway.auth.user import User
from virtdeck.gateway.context import Context
from virtdeck.gateway.webhooks.app import Hook
from virtdeck.gateway.webhooks.review import Outcome, Plain, Review

Validate = Callable[[Plain, Plain | None, User, ClusterConfig], Verdict]


def make_hooks(context: Context) -> dict[str, Hook]:
    """All webhooks by path."""
    hooks = _Hooks(context)
    return {
        "/virtualmachines-mutate": hooks.mutate_vm,
        "/virtualmachineinstances-mutate": hooks.mutate_vmi,
        "/virtualmachines-validate": hooks.validating(validate_vm),
        "/virtualmachineinstances-validate-create": hooks.validating(validate_vmi_create),
        "/virtualmachineinstances-validate-update": hooks.validating(validate_vmi_update),
        "/kubevirts-validate-create": hooks.create_kubevirt,
        "/kubevirts-validate-update": hooks.validating(validate_kubevirt_update),
        "/kubevirts-validate-delete": hooks.delete_kubevirt,
        "/launcher-pods-validate": hooks.validating(validate_launcher_pod),
    }


class _Hooks:
    """The rules with the installation's configuration at hand."""

    def __init__(self, context: Context) -> None:
        self._caches = context.caches
        self._clock = context.clock
        self._namespace = context.settings.namespace

    def mutate_vm(self, review: Review) -> Outcome:
        obj = mutate_vm(_object(review), review.old, self._cluster(), fresh(self._clock))
        return Outcome(obj=obj)

    def mutate_vmi(self, review: Review) -> Outcome:
        obj = mutate_vmi(_object(review), review.old, review.user, self._cluster(), fresh(self._clock))
        return Outcome(obj=obj)

    def create_kubevirt(self, review: Review) -> Outcome:
        others = [
            f"{found.metadata.namespace}/{found.metadata.name}" for found in self._caches.kubevirts.all()
        ]
        verdict = validate_kubevirt_create(_object(review), review.user, self._cluster(), others=others)
        return _outcome(verdict)

    def delete_kubevirt(self, review: Review) -> Outcome:
        workloads = len(self._caches.vms) + len(self._caches.vmis)
        if not (self._caches.vms.synced and self._caches.vmis.synced):
            raise Unready("virt-api has not yet seen which virtual machines there are")
        return _outcome(validate_kubevirt_delete(review.old or {}, workloads=workloads))

    def validating(self, validate: Validate) -> Hook:
        """The rule as a hook."""

        def hook(review: Review) -> Outcome:
            return _outcome(validate(_object(review), review.old, review.user, self._cluster()))

        return hook

    def _cluster(self) -> ClusterConfig:
        """What the KubeVirt object says now. Raises: Unready before it could be seen."""
        if not self._caches.kubevirts.synced:
            raise Unready("virt-api has not yet read its configuration")
        installed = [
            found for found in self._caches.kubevirts.all() if found.metadata.namespace == self._namespace
        ]
        return cluster_config(installed[0] if installed else None, self._namespace)


def _object(review: Review) -> dict[str, Any]:
    if review.obj is None:
        raise Invalid("the AdmissionReview has no object")
    return review.obj


def _outcome(verdict: Verdict) -> Outcome:
    return Outcome(verdict.causes, verdict.warnings, verdict.forbidden)
