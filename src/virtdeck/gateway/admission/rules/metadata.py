"""Labels and annotations that mean something to virtdeck (V3–V5), and names that fit."""

from collections.abc import Iterator

from virtdeck.basis.errors import Cause
from virtdeck.gateway.admission.subject import Rule, Subject
from virtdeck.gateway.admission.verdict import forbidden, invalid, needs_gate, required
from virtdeck.gateway.admission.words import SUBDOMAIN_WORDS, is_label_value, is_qualified_name, is_subdomain

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


def reserved_labels_are_ours(subject: Subject) -> Iterator[Cause]:
    """V3: they tell the components which pod and node a VMI belongs to."""
    if subject.cluster.is_component(subject.user):
        return
    for label in RESERVED_LABELS:
        if label in (subject.metadata.labels or {}):
            field = f"{subject.metadata_path}.labels[{label}]"
            yield forbidden(field, "is set by virtdeck itself; remove it, or use a label with another prefix")


def ignition_needs_its_gate(subject: Subject) -> Iterator[Cause]:
    """V4"""
    yield from _gated(subject, "kubevirt.io/ignitiondata", "ExperimentalIgnitionSupport")


def hook_sidecars_need_their_gate(subject: Subject) -> Iterator[Cause]:
    """V5"""
    yield from _gated(subject, "hooks.kubevirt.io/hookSidecars", "Sidecar")


def _gated(subject: Subject, annotation: str, gate: str) -> Iterator[Cause]:
    if annotation in (subject.metadata.annotations or {}) and not subject.cluster.gate(gate):
        yield needs_gate(f"{subject.metadata_path}.annotations[{annotation}]", gate)


def template_labels_are_labels(subject: Subject) -> Iterator[Cause]:
    """Ours: the API server checks an object's own labels, but not those that a start will give the VMI."""
    if not subject.is_template:
        return
    for key, value in (subject.metadata.labels or {}).items():
        field = f"{subject.metadata_path}.labels[{key}]"
        if not is_qualified_name(key):
            yield invalid(field, "must be a label key, as example.com/role")
        elif not is_label_value(value):
            yield invalid(field, "must be at most 63 letters, digits, '-', '_' and '.'")
    for key in subject.metadata.annotations or {}:
        if not is_qualified_name(key):
            yield invalid(f"{subject.metadata_path}.annotations[{key}]", "must be a key, as example.com/note")


def name_fits(name: str, generate_name: str | None) -> Iterator[Cause]:
    """Ours: the name becomes the value of a label and part of the launcher pod's name."""
    if name and len(name) > LONGEST_NAME:
        yield invalid("metadata.name", f"has {len(name)} characters; at most {LONGEST_NAME} fit into labels")
    elif name and not is_subdomain(name):
        yield invalid("metadata.name", f"must be {SUBDOMAIN_WORDS}")
    elif not name and len(generate_name or "") > LONGEST_NAME - _SUFFIX:
        yield invalid("metadata.generateName", f"must have at most {LONGEST_NAME - _SUFFIX} characters")
    elif not name and not generate_name:
        yield required("metadata.name", "must be given")


RULES: tuple[Rule, ...] = (
    reserved_labels_are_ours,
    template_labels_are_labels,
    ignition_needs_its_gate,
    hook_sidecars_need_their_gate,
)
