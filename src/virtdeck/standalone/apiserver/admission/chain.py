"""All of admission in order: namespaces, roles, limit ranges, policies, webhooks, quotas."""

from dataclasses import dataclass
from typing import Any

from virtdeck.standalone.apiserver.access.escalation import check_escalation
from virtdeck.standalone.apiserver.access.rbac import GROUP as RBAC_GROUP
from virtdeck.standalone.apiserver.access.rbac import Authorizer
from virtdeck.standalone.apiserver.admission.completing import complete
from virtdeck.standalone.apiserver.admission.limit_ranges import LimitRanges
from virtdeck.standalone.apiserver.admission.policies import Policies
from virtdeck.standalone.apiserver.admission.quotas import Quotas
from virtdeck.standalone.apiserver.admission.webhooks import Webhooks
from virtdeck.standalone.apiserver.problems import StatusError, forbidden, not_found, qualified
from virtdeck.standalone.apiserver.storage.store import Store
from virtdeck.standalone.apiserver.verbs.attributes import Attributes

Obj = dict[str, Any]

# Without them nothing works, so they cannot be deleted.
IMMORTAL_NAMESPACES = ("default", "kube-system", "kube-public")


@dataclass(frozen=True)
class AdmissionChain:
    """What every write must pass."""

    store: Store
    authorizer: Authorizer
    limit_ranges: LimitRanges
    policies: Policies
    webhooks: Webhooks
    quotas: Quotas

    async def mutate(self, attributes: Attributes, obj: Obj, old: Obj | None) -> Obj:
        """The object as admission wants it. Raises: StatusError."""
        self._check_namespace(attributes)
        self._check_definition(attributes)
        if not attributes.subresource:
            complete(self.store, attributes, obj, old)
        self.limit_ranges.complete(attributes, obj)
        return await self.webhooks.mutate(attributes, obj, old)

    async def validate(self, attributes: Attributes, obj: Obj | None, old: Obj | None) -> None:
        """Returns if the write may be. Raises: StatusError."""
        if attributes.operation == "DELETE":
            self._check_immortal(attributes)
        elif attributes.group == RBAC_GROUP and obj is not None:
            check_escalation(self.authorizer, attributes.user, attributes.plural, obj, old)
        self.limit_ranges.check(attributes, obj)
        await self.policies.validate(attributes, obj, old)
        await self.webhooks.validate(attributes, obj, old)
        self.quotas.check(attributes, obj, old)  # last: from here to the store nothing is awaited

    def _check_namespace(self, attributes: Attributes) -> None:
        if not attributes.resource.namespaced or attributes.operation != "CREATE":
            return
        row = self.store.shelf("/namespaces").get(("", attributes.namespace))
        if row is None:
            raise not_found("namespaces", "", attributes.namespace)
        if row.terminating:
            place = attributes.namespace
            why = f"unable to create new content in namespace {place} because it is being terminated"
            cause = {
                "reason": "NamespaceTerminating",
                "message": f"namespace {attributes.namespace} is being terminated",
                "field": "metadata.namespace",
            }
            raise forbidden(attributes.plural, attributes.group, attributes.name, why, (cause,))

    def _check_definition(self, attributes: Attributes) -> None:
        """A kind that is about to go takes no new objects."""
        if attributes.operation != "CREATE" or not attributes.resource.is_custom:
            return
        row = self.store.shelf("apiextensions.k8s.io/customresourcedefinitions").get(
            ("", attributes.resource.crd)
        )
        if row is not None and row.terminating:
            named = qualified(attributes.plural, attributes.group)
            text = f'create is not supported on resources of kind "{named}": its definition is being deleted'
            raise StatusError(text, "MethodNotAllowed", 405)

    def _check_immortal(self, attributes: Attributes) -> None:
        if attributes.plural == "namespaces" and attributes.name in IMMORTAL_NAMESPACES:
            raise forbidden("namespaces", "", attributes.name, "this namespace may not be deleted")
