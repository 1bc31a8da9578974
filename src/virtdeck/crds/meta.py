"""What every object has: names, labels, owners, conditions."""

from typing import Annotated, Any

from msgspec import field

from virtdeck.crds.model import Model, doc, one_of
from virtdeck.crds.scalars import Count, NullableTime, Time


class OwnerReference(Model, frozen=True, kw_only=True):
    """An object that this one belongs to: when it goes, this one goes."""

    api_version: str
    kind: str
    name: str
    uid: str
    controller: bool | None = None
    block_owner_deletion: bool | None = None


class ManagedFieldsEntry(Model, frozen=True, kw_only=True):
    """Which fields one client owns (server-side apply)."""

    manager: str | None = None
    operation: str | None = None
    api_version: str | None = None
    time: Time | None = None
    fields_type: str | None = None
    fields_v1: dict[str, Any] | None = field(default=None, name="fieldsV1")
    subresource: str | None = None


class ObjectMeta(Model, frozen=True, kw_only=True):
    """Name, labels, owners and the API server's own bookkeeping; an empty name counts as absent, as in Go."""

    name: Annotated[str, doc("Name, unique in its namespace for this kind.")] = ""
    generate_name: Annotated[str | None, doc("The API server appends five characters to it.")] = None
    namespace: str = ""
    uid: str = ""
    resource_version: str = ""
    generation: int | None = None
    creation_timestamp: NullableTime | None = None
    deletion_timestamp: Time | None = None
    deletion_grace_period_seconds: int | None = None
    labels: dict[str, str] | None = None
    annotations: dict[str, str] | None = None
    owner_references: tuple[OwnerReference, ...] | None = None
    finalizers: tuple[str, ...] | None = None
    managed_fields: tuple[ManagedFieldsEntry, ...] | None = None
    self_link: str | None = None


class Condition(Model, frozen=True, kw_only=True):
    """One question about an object, answered True, False or Unknown."""

    type: Annotated[str, doc("The question, in CamelCase.")]
    status: Annotated[str, one_of("True", "False", "Unknown"), doc("The answer.")]
    reason: Annotated[str | None, doc("Why, in one CamelCase word for programs.")] = None
    message: Annotated[str | None, doc("Why, and what to do next, for people.")] = None
    last_transition_time: Annotated[NullableTime | None, doc("When the answer last changed.")] = None
    last_probe_time: Annotated[NullableTime | None, doc("When the question was last asked.")] = None


class StandardCondition(Model, frozen=True, kw_only=True):
    """One question about an object, where every answer has a time, a reason and a message."""

    type: Annotated[str, doc("The question, in CamelCase.")]
    status: Annotated[str, one_of("True", "False", "Unknown"), doc("The answer.")]
    reason: Annotated[str, doc("Why, in one CamelCase word for programs.")]
    message: Annotated[str, doc("Why, and what to do next, for people.")]
    last_transition_time: Annotated[NullableTime | None, doc("When the answer last changed.")]
    last_probe_time: Annotated[NullableTime | None, doc("When the question was last asked.")] = None
    observed_generation: Annotated[Count | None, doc("The generation that was looked at.")] = None
