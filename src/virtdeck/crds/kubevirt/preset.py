"""VirtualMachineInstancePreset: values that VMIs with a label got when they were made."""

from typing import Annotated

from virtdeck.crds.kubevirt.domain import DomainSpec
from virtdeck.crds.meta import ObjectMeta
from virtdeck.crds.model import Model, doc
from virtdeck.crds.selectors import LabelSelector


class VirtualMachineInstancePresetSpec(Model, frozen=True, kw_only=True):
    """Which VMIs, and what they get."""

    domain: Annotated[
        DomainSpec | None,
        doc(
            "Values for the VMI's spec.domain. A field that the VMI sets itself to something else is a "
            "conflict, and the VMI is then left as it is."
        ),
    ] = None
    selector: Annotated[
        LabelSelector,
        doc("VMIs of the namespace whose labels match when they are made; an empty one matches all of them."),
    ]


class VirtualMachineInstancePreset(Model, frozen=True, kw_only=True):
    """Deprecated: values that VMIs with certain labels get when they are made.

    Use a VirtualMachinePreference and a VirtualMachineInstancetype, which a VirtualMachine names.
    """

    api_version: Annotated[str | None, doc("Group and version of the API: kubevirt.io/v1.")] = None
    kind: Annotated[str | None, doc("Kind of the object: VirtualMachineInstancePreset.")] = None
    metadata: Annotated[ObjectMeta, doc("Name, labels, owners.")] = ObjectMeta()
    spec: Annotated[VirtualMachineInstancePresetSpec | None, doc("Which VMIs, and what they get.")] = None
