"""The kinds of ``template.kubevirt.io``."""

from typing import TYPE_CHECKING, Any

from virtdeck.crds.kinds.columns import AGE, condition, ready
from virtdeck.crds.kinds.kind import ALL, Column, Kind, Version

if TYPE_CHECKING:
    from virtdeck.crds.template.request import VirtualMachineTemplateRequest
    from virtdeck.crds.template.template import VirtualMachineTemplate

GROUP = "template.kubevirt.io"
_OLDER = (Version("v1alpha1", deprecated=True),)

TEMPLATE: "Kind[VirtualMachineTemplate]" = Kind(
    GROUP,
    "v1beta1",
    "virtualmachinetemplates",
    "VirtualMachineTemplate",
    "template.template:VirtualMachineTemplate",
    short_names=("vmt", "vmts"),
    categories=ALL,
    columns=(AGE, ready("Whether it can be used")),
    subresources=("status",),
    older=_OLDER,
    stored="v1alpha1",
)

TEMPLATE_REQUEST: "Kind[VirtualMachineTemplateRequest]" = Kind(
    GROUP,
    "v1beta1",
    "virtualmachinetemplaterequests",
    "VirtualMachineTemplateRequest",
    "template.request:VirtualMachineTemplateRequest",
    short_names=("vmtr", "vmtrs"),
    categories=ALL,
    columns=(
        Column("Template", ".status.templateRef.name", description="The template that was made"),
        AGE,
        ready("Whether the template was made"),
        condition("Progressing", "Progressing", "Whether it is being made"),
    ),
    subresources=("status",),
    older=_OLDER,
    stored="v1alpha1",
)

KINDS: tuple[Kind[Any], ...] = (TEMPLATE, TEMPLATE_REQUEST)
