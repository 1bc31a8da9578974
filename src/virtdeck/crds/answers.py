"""What Kubernetes' API says around objects: lists, errors, deletions, watches, discovery, scale."""

from typing import Annotated, Any

from msgspec import field

from virtdeck.crds.model import Model, doc, one_of
from virtdeck.crds.scalars import Int32, NullableTime


class ListMeta(Model, frozen=True, kw_only=True):
    """Where a list stands."""

    continue_: Annotated[str | None, doc("Ask for the next part with it; absent on the last one.")] = field(
        default=None, name="continue"
    )
    remaining_item_count: Annotated[int | None, doc("How many are left after this part, when known.")] = None
    resource_version: Annotated[
        str | None, doc("The state of the store that was listed; watch from here.")
    ] = None
    self_link: Annotated[str | None, doc("No longer used.")] = None


class StatusCause(Model, frozen=True, kw_only=True):
    """One thing that is wrong with what was sent."""

    field: Annotated[str | None, doc("Path of the field, as spec.template.spec.domain.cpu.cores.")] = None
    message: Annotated[str | None, doc("What is wrong with it and what is allowed.")] = None
    reason: Annotated[str | None, doc("The kind of mistake in one word, as FieldValueInvalid.")] = None


class StatusDetails(Model, frozen=True, kw_only=True):
    """What the answer is about."""

    causes: Annotated[tuple[StatusCause, ...] | None, doc("Everything that is wrong, at once.")] = None
    group: Annotated[str | None, doc("API group of the object.")] = None
    kind: Annotated[str | None, doc("Kind or resource of the object.")] = None
    name: Annotated[str | None, doc("Name of the object.")] = None
    retry_after_seconds: Annotated[Int32 | None, doc("Try again after so many seconds.")] = None
    uid: Annotated[str | None, doc("Uid of the object.")] = None


class Status(Model, frozen=True, kw_only=True):
    """That all is well, or what went wrong."""

    api_version: Annotated[str | None, doc("v1.")] = None
    kind: Annotated[str | None, one_of("Status"), doc("Status.")] = None
    metadata: Annotated[ListMeta | None, doc("Empty.")] = None
    status: Annotated[str | None, one_of("Success", "Failure"), doc("Success or Failure.")] = None
    message: Annotated[str | None, doc("For people: what happened, and what to do.")] = None
    reason: Annotated[str | None, doc("For programs: why, in one word, as NotFound.")] = None
    code: Annotated[Int32 | None, doc("The HTTP code.")] = None
    details: Annotated[StatusDetails | None, doc("What the answer is about.")] = None


class Preconditions(Model, frozen=True, kw_only=True):
    """What must hold for a deletion."""

    resource_version: Annotated[str | None, doc("The object must be in this version.")] = None
    uid: Annotated[str | None, doc("The object must have this uid.")] = None


class DeleteOptions(Model, frozen=True, kw_only=True):
    """How an object is deleted."""

    api_version: Annotated[str | None, doc("v1, or the version of the object's group.")] = None
    kind: Annotated[str | None, doc("DeleteOptions.")] = None
    dry_run: Annotated[tuple[str, ...] | None, doc("All: nothing is deleted, only checked.")] = None
    grace_period_seconds: Annotated[
        int | None, doc("Seconds until it is gone; 0 is at once. The kind's own when absent.")
    ] = None
    orphan_dependents: Annotated[bool | None, doc("Deprecated: use propagationPolicy.")] = None
    preconditions: Annotated[Preconditions | None, doc("What must hold, else 409.")] = None
    propagation_policy: Annotated[
        str | None,
        doc("What becomes of the objects that it owns: Background, Foreground or Orphan."),
    ] = None


class WatchEvent(Model, frozen=True, kw_only=True):
    """One change that a watch tells of; they follow each other, one a line."""

    type: Annotated[
        str, one_of("ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR"), doc("What happened to the object.")
    ]
    object: Annotated[
        dict[str, Any], doc("The object as it is now, or was before its end; a Status on ERROR.")
    ]


class GroupVersionForDiscovery(Model, frozen=True, kw_only=True):
    """One version of an API group."""

    group_version: Annotated[str, doc("As apiVersion spells it: kubevirt.io/v1.")]
    version: Annotated[str, doc("The version alone.")]


class APIGroup(Model, frozen=True, kw_only=True):
    """The versions of an API group."""

    api_version: Annotated[str | None, doc("v1.")] = None
    kind: Annotated[str | None, doc("APIGroup.")] = None
    name: Annotated[str, doc("The group.")]
    preferred_version: Annotated[
        GroupVersionForDiscovery | None, doc("The version that clients should use.")
    ] = None
    versions: Annotated[tuple[GroupVersionForDiscovery, ...], doc("All versions that are served.")]


class APIResource(Model, frozen=True, kw_only=True):
    """One resource of a version."""

    categories: Annotated[tuple[str, ...] | None, doc("Words that stand for several kinds, as all.")] = None
    group: Annotated[str | None, doc("Group of the kind, where it is another one.")] = None
    kind: Annotated[str, doc("Kind of its objects.")]
    name: Annotated[str, doc("Plural in the path; with a subresource behind a slash.")]
    namespaced: Annotated[bool, doc("Whether its objects are in namespaces.")]
    short_names: Annotated[tuple[str, ...] | None, doc("What kubectl takes for it.")] = None
    singular_name: Annotated[str, doc("Its name for one object.")]
    storage_version_hash: Annotated[str | None, doc("Changes with the version that objects are kept in.")] = (
        None
    )
    verbs: Annotated[tuple[str, ...], doc("What can be done, in RBAC's words.")]
    version: Annotated[str | None, doc("Version of the kind, where it is another one.")] = None


class APIResourceList(Model, frozen=True, kw_only=True):
    """The resources of a version."""

    api_version: Annotated[str | None, doc("v1.")] = None
    group_version: Annotated[str, doc("The group and its version.")]
    kind: Annotated[str | None, doc("APIResourceList.")] = None
    resources: Annotated[tuple[APIResource, ...], doc("All of them.")]


class ScaleSpec(Model, frozen=True, kw_only=True):
    """How many there should be."""

    replicas: Annotated[Int32 | None, doc("How many there should be; 0 when absent.")] = None


class ScaleStatus(Model, frozen=True, kw_only=True):
    """How many there are."""

    replicas: Annotated[Int32, doc("How many there are.")]
    selector: Annotated[str | None, doc("Which objects they are, as a query string.")] = None


class ScaleMeta(Model, frozen=True, kw_only=True):
    """Which object is scaled."""

    name: Annotated[str | None, doc("Its name.")] = None
    namespace: Annotated[str | None, doc("Its namespace.")] = None
    uid: Annotated[str | None, doc("Its uid.")] = None
    resource_version: Annotated[str | None, doc("Its version; given with a change, it must be this one.")] = (
        None
    )
    creation_timestamp: Annotated[NullableTime | None, doc("When it was made.")] = None


class Scale(Model, frozen=True, kw_only=True):
    """The number of something, in the form that kubectl scale and autoscalers use."""

    api_version: Annotated[str | None, doc("autoscaling/v1.")] = None
    kind: Annotated[str | None, doc("Scale.")] = None
    metadata: Annotated[ScaleMeta | None, doc("Which object is scaled.")] = None
    spec: Annotated[ScaleSpec | None, doc("How many there should be.")] = None
    status: Annotated[ScaleStatus | None, doc("How many there are.")] = None
