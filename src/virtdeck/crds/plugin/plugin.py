"""Plugin: an extension that changes machines before they start, or acts when they start, stop and move."""

from typing import Annotated

from msgspec import Meta

from virtdeck.crds.meta import ObjectMeta
from virtdeck.crds.model import Model, doc, one_of
from virtdeck.crds.scalars import Duration

Text = Annotated[str, Meta(min_length=1)]
_CONDITION = (
    "CEL expression over the VMI that says whether {what}, as vmi.metadata.labels['gpu'] == 'yes'; "
    "always when absent."
)
_FAILURE = (
    "What becomes of the machine when {what}: Fail (the default) keeps it from going on, Ignore lets it."
)


class CELDomainHook(Model, frozen=True, kw_only=True):
    """A change of the machine by an expression."""

    expression: Annotated[Text, doc("CEL expression whose value is merged into libvirt's domain.")]


class SidecarDomainHook(Model, frozen=True, kw_only=True):
    """A change of the machine by a program beside the launcher."""

    socket_path: Annotated[
        Text,
        doc(
            "Unix socket in the launcher pod that the program answers on: an absolute path without . or "
            ".. parts."
        ),
    ]


class DomainHook(Model, frozen=True, kw_only=True):
    """A change of libvirt's domain before the guest starts; either cel or sidecar."""

    cel: Annotated[CELDomainHook | None, doc("By an expression. Excludes sidecar.")] = None
    condition: Annotated[str | None, doc(_CONDITION.format(what="this hook applies"))] = None
    failure_strategy: Annotated[
        str | None,
        one_of("Fail", "Ignore"),
        doc("As the plugin's failureStrategy, for this hook; the plugin's when absent."),
    ] = None
    sidecar: Annotated[SidecarDomainHook | None, doc("By a program beside the launcher. Excludes cel.")] = (
        None
    )
    timeout: Annotated[Duration | None, doc("How long the hook may take, as 10s; then it has failed.")] = None


class NodeHook(Model, frozen=True, kw_only=True):
    """A program on the node that is asked when a machine starts, stops or moves."""

    condition: Annotated[str | None, doc(_CONDITION.format(what="the program is asked"))] = None
    failure_strategy: Annotated[
        str | None,
        one_of("Fail", "Ignore"),
        doc("As the plugin's failureStrategy, for this hook; the plugin's when absent."),
    ] = None
    permitted_hooks: Annotated[
        Annotated[
            tuple[
                Annotated[
                    str,
                    one_of(
                        "PreVMStart",
                        "PostVMStart",
                        "PreVMStop",
                        "PostVMStop",
                        "PreMigrationSource",
                        "PostMigrationSource",
                        "PreMigrationTarget",
                        "PostMigrationTarget",
                    ),
                ],
                ...,
            ],
            Meta(min_length=1),
        ],
        doc("When it is asked; at least one. Pre… comes before the event and can keep it from happening."),
    ]
    socket: Annotated[Text, doc("Unix socket on the node that the program answers on: an absolute path.")]
    timeout: Annotated[Duration | None, doc("How long the program may take, as 10s; then it has failed.")] = (
        None
    )


class AdmissionReference(Model, frozen=True, kw_only=True):
    """An admission object that belongs to the plugin."""

    name: Annotated[Text, doc("Its name.")]


class PluginSpec(Model, frozen=True, kw_only=True):
    """For which machines, what is done, and what belongs to it."""

    condition: Annotated[
        str | None, doc(_CONDITION.format(what="the plugin is for it; hooks may narrow that further"))
    ] = None
    domain_hooks: Annotated[
        tuple[DomainHook, ...] | None,
        doc(
            "Changes of the machine before it starts, in this order; those of several plugins by plugin name."
        ),
    ] = None
    failure_strategy: Annotated[
        str | None, one_of("Fail", "Ignore"), doc(_FAILURE.format(what="the plugin does not work"))
    ] = None
    mutating_admission_policies: Annotated[
        tuple[AdmissionReference, ...] | None, doc("MutatingAdmissionPolicies that belong to the plugin.")
    ] = None
    mutating_admission_webhooks: Annotated[
        tuple[AdmissionReference, ...] | None, doc("MutatingWebhookConfigurations that belong to the plugin.")
    ] = None
    node_hooks: Annotated[
        tuple[NodeHook, ...] | None,
        doc("Programs on the node, asked in this order; those of several plugins by plugin name."),
    ] = None
    validating_admission_policies: Annotated[
        tuple[AdmissionReference, ...] | None, doc("ValidatingAdmissionPolicies that belong to the plugin.")
    ] = None
    validating_admission_webhooks: Annotated[
        tuple[AdmissionReference, ...] | None,
        doc("ValidatingWebhookConfigurations that belong to the plugin."),
    ] = None


class PluginStatus(Model, frozen=True, kw_only=True):
    """Nothing yet."""


class Plugin(Model, frozen=True, kw_only=True):
    """An extension of the whole cluster: changes of machines, programs on nodes, admission rules.

    It needs the feature gate Plugins.
    """

    api_version: Annotated[str | None, doc("Group and version of the API: plugin.kubevirt.io/v1alpha1.")] = (
        None
    )
    kind: Annotated[str | None, doc("Kind of the object: Plugin.")] = None
    metadata: Annotated[ObjectMeta, doc("Name, labels, owners.")] = ObjectMeta()
    spec: Annotated[PluginSpec, doc("For which machines, what is done, and what belongs to it.")]
    status: Annotated[PluginStatus, doc("Nothing yet.")] = PluginStatus()
