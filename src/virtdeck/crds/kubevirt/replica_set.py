"""VirtualMachineInstanceReplicaSet: a number of guests that are all alike and keep nothing."""

from typing import Annotated

from virtdeck.crds.kubevirt.vm import VirtualMachineInstanceTemplateSpec
from virtdeck.crds.meta import Condition, ObjectMeta
from virtdeck.crds.model import Model, doc
from virtdeck.crds.scalars import Int32
from virtdeck.crds.selectors import LabelSelector


class VirtualMachineInstanceReplicaSetSpec(Model, frozen=True, kw_only=True):
    """How many guests, which they are, and what each is made from."""

    paused: Annotated[
        bool | None,
        doc(
            "true: guests are neither made nor deleted, whatever replicas says; those that run go on. "
            "false when absent."
        ),
    ] = None
    replicas: Annotated[
        Int32 | None,
        doc("How many guests should run at once; 1 when absent, 0 ends them all. kubectl scale sets it."),
    ] = None
    selector: Annotated[
        LabelSelector,
        doc(
            "Which VMIs belong to the set. It must match the labels of the template; VMIs of the "
            "namespace that match and have no owner are adopted. It may not be empty."
        ),
    ]
    template: Annotated[
        VirtualMachineInstanceTemplateSpec,
        doc(
            "What each guest is made from. A change concerns guests that are made from now on; those that "
            "run are not touched. Volumes that only one guest may write to make all but one of them wait."
        ),
    ]


class VirtualMachineInstanceReplicaSetStatus(Model, frozen=True, kw_only=True):
    """How many guests there are."""

    conditions: Annotated[
        tuple[Condition, ...] | None,
        doc("ReplicaFailure: a guest could not be made or deleted. ReplicaPaused: spec.paused is heeded."),
    ] = None
    label_selector: Annotated[
        str | None,
        doc("spec.selector as a query string, which autoscalers read through the scale subresource."),
    ] = None
    ready_replicas: Annotated[Int32 | None, doc("How many guests have the condition Ready.")] = None
    replicas: Annotated[
        Int32 | None, doc("How many guests of the set there are, without those that ended or are going.")
    ] = None


class VirtualMachineInstanceReplicaSet(Model, frozen=True, kw_only=True):
    """Keeps a number of VMIs running that are all alike: one that ends is replaced by a new one.

    The guests have no lasting disks of their own and no stable names; use a VirtualMachinePool for those.
    """

    api_version: Annotated[str | None, doc("Group and version of the API: kubevirt.io/v1.")] = None
    kind: Annotated[str | None, doc("Kind of the object: VirtualMachineInstanceReplicaSet.")] = None
    metadata: Annotated[ObjectMeta, doc("Name, labels, owners.")] = ObjectMeta()
    spec: Annotated[
        VirtualMachineInstanceReplicaSetSpec,
        doc("How many guests, which they are, and what each is made from."),
    ]
    status: Annotated[
        VirtualMachineInstanceReplicaSetStatus, doc("How many guests there are; written by virt-controller.")
    ] = VirtualMachineInstanceReplicaSetStatus()
