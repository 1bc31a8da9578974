"""Labels and annotations that mean something to virtdeck (V3–V5), and names that fit."""

from collections.abc import Iterator

from virtdeck.crds.meta import ObjectMeta
from virtdeck.gateway.admission.rule import FORBIDDEN, INVALID, REQUIRED, Place, Rules, at
from virtdeck.gateway.admission.subject import Subject
from virtdeck.gateway.admission.words import SUBDOMAIN_WORDS, is_label_value, is_qualified_name, is_subdomain

RULES: Rules[Subject] = Rules("VMI")
NAMES: Rules[ObjectMeta] = Rules("VM, VMI")

RESERVED_LABELS = (
    "kubevirt.io/created-by",
    "kubevirt.io/migrationJobUID",
    "kubevirt.io/nodeName",
    "kubevirt.io/migrationTargetNodeName",
    "kubevirt.io/schedulable",
    "kubevirt.io/install-strategy",
)
LONGEST_NAME = 63
_SUFFIX = 5  # characters that the API server appends to generateName
_IGNITION, _SIDECARS = "kubevirt.io/ignitiondata", "hooks.kubevirt.io/hookSidecars"


@RULES.rule(
    "V3 V257",
    "metadata.labels[]",
    FORBIDDEN,
    "is set by virtdeck itself; remove it, or use a label with another prefix",
)
def reserved_labels_are_ours(vmi: Subject) -> Iterator[Place]:
    """The author is none of virtdeck's accounts; the label says which pod and node a VMI belongs to."""
    labels = vmi.metadata.labels or {}
    if any(label in labels for label in RESERVED_LABELS) and not vmi.cluster.is_component(vmi.user):
        yield from (at(label) for label in RESERVED_LABELS if label in labels)


@RULES.gate("V4", "metadata.annotations[]", "ExperimentalIgnitionSupport")
def ignition_needs_its_gate(vmi: Subject) -> Iterator[Place]:
    """The annotation kubevirt.io/ignitiondata is there and the gate is off."""
    if (vmi.metadata.annotations or {}).get(_IGNITION):
        yield at(_IGNITION)


@RULES.gate("V5", "metadata.annotations[]", "Sidecar")
def hook_sidecars_need_their_gate(vmi: Subject) -> Iterator[Place]:
    """The annotation hooks.kubevirt.io/hookSidecars is there and the gate is off."""
    if (vmi.metadata.annotations or {}).get(_SIDECARS):
        yield at(_SIDECARS)


@RULES.rule("", "metadata.labels[]", INVALID, "must be a label key, as example.com/role")
def template_label_keys_are_keys(vmi: Subject) -> Iterator[Place]:
    """It could be none of a VMI's labels; the API server checks an object's own labels, not a template's."""
    for key in (vmi.metadata.labels or {}) if vmi.is_template else ():
        if not is_qualified_name(key):
            yield at(key)


@RULES.rule("", "metadata.labels[]", INVALID, "must be at most 63 letters, digits, '-', '_' and '.'")
def template_label_values_are_values(vmi: Subject) -> Iterator[Place]:
    """It could be the value of none of a VMI's labels."""
    for key, value in (vmi.metadata.labels or {}).items() if vmi.is_template else ():
        if not is_label_value(value):
            yield at(key)


@RULES.rule("", "metadata.annotations[]", INVALID, "must be a key, as example.com/note")
def template_annotation_keys_are_keys(vmi: Subject) -> Iterator[Place]:
    """It could be none of a VMI's annotations."""
    for key in (vmi.metadata.annotations or {}) if vmi.is_template else ():
        if not is_qualified_name(key):
            yield at(key)


@NAMES.rule("", "metadata.name", INVALID, f"has {{count}} characters; at most {LONGEST_NAME} fit into labels")
def name_is_short(meta: ObjectMeta) -> Iterator[Place]:
    """It is longer than a label's value, which it becomes."""
    if len(meta.name or "") > LONGEST_NAME:
        yield at(count=len(meta.name or ""))


@NAMES.rule("", "metadata.name", INVALID, f"must be {SUBDOMAIN_WORDS}")
def name_is_a_subdomain(meta: ObjectMeta) -> Iterator[Place]:
    """It could not be part of the launcher pod's name."""
    if meta.name and len(meta.name) <= LONGEST_NAME and not is_subdomain(meta.name):
        yield at()


@NAMES.rule("", "metadata.generateName", INVALID, f"must have at most {LONGEST_NAME - _SUFFIX} characters")
def generated_name_is_short(meta: ObjectMeta) -> Iterator[Place]:
    """With its suffix it would be longer than a label's value."""
    if not meta.name and len(meta.generate_name or "") > LONGEST_NAME - _SUFFIX:
        yield at()


@NAMES.rule("", "metadata.name", REQUIRED, "must be given")
def name_is_given(meta: ObjectMeta) -> Iterator[Place]:
    """There is no generateName either."""
    if not meta.name and not meta.generate_name:
        yield at()
