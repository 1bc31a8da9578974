"""VirtualMachinePool: a number of virtual machines made from one template."""

from typing import Annotated

from virtdeck.crds.kubevirt.vm import VirtualMachineSpec
from virtdeck.crds.meta import Condition, ObjectMeta
from virtdeck.crds.model import Model, doc
from virtdeck.crds.pool.strategies import (
    VirtualMachinePoolAutohealingStrategy,
    VirtualMachinePoolScaleInStrategy,
    VirtualMachinePoolUpdateStrategy,
)
from virtdeck.crds.scalars import Int32, IntOrString
from virtdeck.crds.selectors import LabelSelector


class VirtualMachineTemplateSpec(Model, frozen=True, kw_only=True):
    """The virtual machine that each place of the pool is filled with."""

    metadata: Annotated[
        ObjectMeta, doc("Labels and annotations of each machine; the labels must match spec.selector.")
    ] = ObjectMeta()
    spec: Annotated[
        VirtualMachineSpec | None,
        doc("Spec of each machine. Names of dataVolumeTemplates get the machine's index appended."),
    ] = None


class VirtualMachinePoolNameGeneration(Model, frozen=True, kw_only=True):
    """Which references of the template name an object of the machine's own."""

    append_index_to_config_map_refs: Annotated[
        bool | None,
        doc("true: the machine with index 2 uses the ConfigMap settings-2 where the template says settings."),
    ] = None
    append_index_to_secret_refs: Annotated[
        bool | None,
        doc("true: the same for Secrets, those of cloud-init and of access credentials included."),
    ] = None


class VirtualMachinePoolSpec(Model, frozen=True, kw_only=True):
    """How many machines, what each is made from, and how the pool grows, shrinks and changes."""

    autohealing: Annotated[
        VirtualMachinePoolAutohealingStrategy | None,
        doc("Machines that do not come up are deleted and made anew; never when absent."),
    ] = None
    max_unavailable: Annotated[
        IntOrString | None,
        doc(
            "How many machines an update may restart at once: a number from 1, or a share of replicas "
            "from 1% to 100%, of which at least one. 100% when absent."
        ),
    ] = None
    name_generation: Annotated[
        VirtualMachinePoolNameGeneration | None,
        doc("Which references of the template get the machine's index appended."),
    ] = None
    paused: Annotated[
        bool | None,
        doc("true: the pool neither scales nor updates; its machines go on. false when absent."),
    ] = None
    replicas: Annotated[
        Int32 | None,
        doc("How many machines there should be; 1 when absent, 0 for none. kubectl scale sets it."),
    ] = None
    scale_in_strategy: Annotated[
        VirtualMachinePoolScaleInStrategy | None,
        doc("Which machines go when there are too many, and what is kept of them; proactive when absent."),
    ] = None
    selector: Annotated[
        LabelSelector,
        doc(
            "Which VirtualMachines belong to the pool. It must match the template's labels and cannot change."
        ),
    ]
    update_strategy: Annotated[
        VirtualMachinePoolUpdateStrategy | None,
        doc("When machines take over a changed template; proactive when absent."),
    ] = None
    virtual_machine_template: Annotated[
        VirtualMachineTemplateSpec,
        doc("What each machine is made from. They are named <pool>-<index>, from the lowest free index on."),
    ]


class VirtualMachinePoolStatus(Model, frozen=True, kw_only=True):
    """How many machines there are."""

    conditions: Annotated[
        tuple[Condition, ...] | None,
        doc(
            "ReplicaFailure: a machine could not be made, changed or deleted. ReplicaPaused: spec.paused "
            "is heeded."
        ),
    ] = None
    label_selector: Annotated[
        str | None,
        doc("spec.selector as a query string, which autoscalers read through the scale subresource."),
    ] = None
    ready_replicas: Annotated[Int32 | None, doc("How many machines have the condition Ready.")] = None
    replicas: Annotated[Int32 | None, doc("How many machines of the pool there are.")] = None


class VirtualMachinePool(Model, frozen=True, kw_only=True):
    """Keeps a number of virtual machines that are made from one template and keep their names and disks.

    For guests that keep nothing there is the VirtualMachineInstanceReplicaSet.
    """

    api_version: Annotated[str | None, doc("Group and version of the API: pool.kubevirt.io/v1beta1.")] = None
    kind: Annotated[str | None, doc("Kind of the object: VirtualMachinePool.")] = None
    metadata: Annotated[ObjectMeta, doc("Name, labels, owners.")] = ObjectMeta()
    spec: Annotated[
        VirtualMachinePoolSpec, doc("How many machines, what each is made from, how that changes.")
    ]
    status: Annotated[
        VirtualMachinePoolStatus, doc("How many machines there are; written by virt-controller.")
    ] = VirtualMachinePoolStatus()
