"""The webhooks of kinds beside VirtualMachine and VirtualMachineInstance, by their paths."""

from collections.abc import Callable

from virtdeck.basis.errors import Unready
from virtdeck.gateway.admission import ClusterConfig, Verdict
from virtdeck.gateway.admission.kinds.backup import validate_backup, validate_backup_tracker
from virtdeck.gateway.admission.kinds.clone import mutate_clone, validate_clone
from virtdeck.gateway.admission.kinds.export import validate_export
from virtdeck.gateway.admission.kinds.kubevirt import validate_kubevirt, validate_kubevirt_delete
from virtdeck.gateway.admission.kinds.migration import (
    mutate_migration,
    validate_migration_create,
    validate_migration_update,
)
from virtdeck.gateway.admission.kinds.migration_policy import validate_migration_policy
from virtdeck.gateway.admission.kinds.plugin import validate_plugin
from virtdeck.gateway.admission.kinds.pool import pooled_vm, validate_pool
from virtdeck.gateway.admission.kinds.preset import validate_preset
from virtdeck.gateway.admission.kinds.replica_set import validate_replica_set
from virtdeck.gateway.admission.kinds.restore import validate_restore_create, validate_restore_update
from virtdeck.gateway.admission.kinds.snapshot import validate_snapshot
from virtdeck.gateway.admission.kinds.template import validate_template
from virtdeck.gateway.admission.stored_only import stored_only
from virtdeck.gateway.auth.user import User
from virtdeck.gateway.context import Context
from virtdeck.gateway.installed import installed_cluster
from virtdeck.gateway.webhooks.app import Hook
from virtdeck.gateway.webhooks.evictions import Evictions
from virtdeck.gateway.webhooks.outcomes import object_of, outcome_of
from virtdeck.gateway.webhooks.review import Outcome, Plain, Review
from virtdeck.gateway.webhooks.surroundings import Surroundings

Validate = Callable[[Plain, Plain | None, User, ClusterConfig], Verdict]

# Kinds without a rule of their own, of which is only said that nothing acts on them.
_STORED = {
    "/virtualmachinesnapshotcontents-validate": "virtualmachinesnapshotcontents.snapshot.kubevirt.io",
    "/virtualmachinetemplaterequests-validate": "virtualmachinetemplaterequests.template.kubevirt.io",
}


def kind_hooks(context: Context) -> dict[str, Hook]:
    """The hooks by path."""
    hooks = _KindHooks(context)
    return {
        "/virtualmachineinstancereplicasets-validate": hooks.validating(validate_replica_set),
        "/virtualmachinepools-validate": hooks.validate_pool,
        "/virtualmachineinstancepresets-validate": hooks.validating(validate_preset),
        "/virtualmachineinstancemigrations-mutate-create": _mutate_migration,
        "/virtualmachineinstancemigrations-validate-create": hooks.create_migration,
        "/virtualmachineinstancemigrations-validate-update": hooks.validating(validate_migration_update),
        "/migrationpolicies-validate": hooks.validating(validate_migration_policy),
        "/virtualmachineclones-mutate-create": _mutate_clone,
        "/virtualmachineclones-validate": hooks.validating(validate_clone),
        "/virtualmachinesnapshots-validate": hooks.validating(validate_snapshot),
        "/virtualmachinerestores-validate-create": hooks.create_restore,
        "/virtualmachinerestores-validate-update": hooks.validating(validate_restore_update),
        "/virtualmachinebackups-validate": hooks.create_backup,
        "/virtualmachinebackuptrackers-validate": hooks.create_backup_tracker,
        "/virtualmachineexports-validate": hooks.validating(validate_export),
        "/virtualmachinetemplates-validate": hooks.validating(validate_template),
        "/plugins-validate": hooks.validating(validate_plugin),
        "/kubevirts-validate-create": hooks.create_kubevirt,
        "/kubevirts-validate-update": hooks.validating(validate_kubevirt),
        "/kubevirts-validate-delete": hooks.delete_kubevirt,
        "/pod-evictions-validate": Evictions(context).validate,
        **{path: _stored_only(kind) for path, kind in _STORED.items()},
    }


class _KindHooks:
    """The rules with the installation's configuration and what they need to know of other objects."""

    def __init__(self, context: Context) -> None:
        self._caches = context.caches
        self._namespace = context.settings.namespace
        self._surroundings = Surroundings(context.client)
        self._instancetypes = context.instancetypes

    def validating(self, validate: Validate) -> Hook:
        """The rule as a hook."""

        def hook(review: Review) -> Outcome:
            return outcome_of(validate(object_of(review), review.old, review.user, self._cluster()))

        return hook

    async def validate_pool(self, review: Review) -> Outcome:
        obj = object_of(review)
        choice = await self._instancetypes.choose_for(pooled_vm(obj), review.namespace)
        return outcome_of(validate_pool(obj, review.old, review.user, self._cluster(), choice))

    async def create_migration(self, review: Review) -> Outcome:
        known = await self._surroundings.of_migration(object_of(review), review.namespace)
        return outcome_of(validate_migration_create(object_of(review), review.user, self._cluster(), **known))

    async def create_restore(self, review: Review) -> Outcome:
        known = await self._surroundings.of_restore(object_of(review), review.namespace)
        return outcome_of(validate_restore_create(object_of(review), review.user, self._cluster(), **known))

    async def create_backup(self, review: Review) -> Outcome:
        known = await self._surroundings.of_backup(object_of(review), review.namespace)
        return outcome_of(validate_backup(object_of(review), review.user, self._cluster(), **known))

    def create_backup_tracker(self, review: Review) -> Outcome:
        return outcome_of(validate_backup_tracker(object_of(review), review.user, self._cluster()))

    def create_kubevirt(self, review: Review) -> Outcome:
        found = (one.metadata for one in self._caches.kubevirts.all())
        others = tuple(f"{one.namespace}/{one.name}" for one in found)
        cluster = self._cluster()
        return outcome_of(validate_kubevirt(object_of(review), None, review.user, cluster, others=others))

    async def delete_kubevirt(self, review: Review) -> Outcome:
        if not (self._caches.vms.synced and self._caches.vmis.synced):
            raise Unready("virt-api has not yet seen which virtual machines there are")
        replica_sets = await self._surroundings.replica_sets()
        workloads = len(self._caches.vms) + len(self._caches.vmis) + replica_sets
        return outcome_of(validate_kubevirt_delete(review.old or {}, workloads=workloads))

    def _cluster(self) -> ClusterConfig:
        return installed_cluster(self._caches, self._namespace)


def _mutate_migration(review: Review) -> Outcome:
    return Outcome(obj=mutate_migration(object_of(review)))


def _mutate_clone(review: Review) -> Outcome:
    return Outcome(obj=mutate_clone(object_of(review)))


def _stored_only(kind: str) -> Hook:
    warning = stored_only(kind)
    outcome = Outcome(warnings=(warning,) if warning else ())
    return lambda _review: outcome
