"""VirtualMachineTemplateRequest: the job that makes a template from a virtual machine."""

from typing import Annotated

from virtdeck.crds.core.references import LocalObjectReference
from virtdeck.crds.meta import ObjectMeta, StandardCondition
from virtdeck.crds.model import Model, doc, keyed_by, rule
from virtdeck.crds.scalars import Int32


class VirtualMachineReference(Model, frozen=True, kw_only=True):
    """A virtual machine, in any namespace that the author may take machines from."""

    name: Annotated[str, doc("Its name.")]
    namespace: Annotated[str, doc("Its namespace.")]


class VirtualMachineTemplateRequestSpec(Model, frozen=True, kw_only=True):
    """Which machine becomes which template; it cannot be changed once the request exists."""

    template_labels: Annotated[dict[str, str] | None, doc("Labels of the template.")] = None
    template_name: Annotated[str | None, doc("Name of the template; the request's own when absent.")] = None
    ttl_seconds_after_finished: Annotated[
        Int32 | None,
        doc("Seconds after its success when the request is deleted; kept when absent, as failed ones are."),
    ] = None
    virtual_machine_ref: Annotated[
        VirtualMachineReference, doc("The machine that the template is made from.")
    ]


class VirtualMachineTemplateRequestStatus(Model, frozen=True, kw_only=True):
    """How far the request is."""

    conditions: Annotated[
        tuple[StandardCondition, ...] | None, keyed_by("type"), doc("Ready and Progressing.")
    ] = None
    template_ref: Annotated[LocalObjectReference | None, doc("The template that was made.")] = None


class VirtualMachineTemplateRequest(Model, frozen=True, kw_only=True):
    """A virtual machine is made into a template."""

    api_version: Annotated[str | None, doc("Group and version of the API.")] = None
    kind: Annotated[str | None, doc("Kind of the object.")] = None
    metadata: Annotated[ObjectMeta, doc("Name, labels, owners.")] = ObjectMeta()
    spec: Annotated[
        VirtualMachineTemplateRequestSpec,
        rule("self == oldSelf", "cannot be changed; make another request"),
        doc("Which machine becomes which template."),
    ]
    status: Annotated[VirtualMachineTemplateRequestStatus | None, doc("How far the request is.")] = None
