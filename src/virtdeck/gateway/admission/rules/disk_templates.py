"""Disks that are made with a VirtualMachine (V260–V268)."""

from collections.abc import Iterator

from virtdeck.crds.kubevirt.data_volumes import DataVolumeTemplateSpec
from virtdeck.gateway.admission.machine import Machine
from virtdeck.gateway.admission.rule import DUPLICATE, INVALID, NOT_SUPPORTED, REQUIRED, Place, Rules, at
from virtdeck.gateway.admission.words import SUBDOMAIN_WORDS, is_subdomain

RULES: Rules[Machine] = Rules("VM")

_TEMPLATE = "spec.dataVolumeTemplates[]"
_SOURCES = ("blank", "gcs", "http", "imageio", "pvc", "registry", "s3", "snapshot", "upload", "vddk")


@RULES.rule("V260", f"{_TEMPLATE}.metadata.name", REQUIRED, f"must be {SUBDOMAIN_WORDS}")
def disk_template_has_a_name(machine: Machine) -> Iterator[Place]:
    """It is empty, or no name of an object."""
    for index, template in enumerate(machine.templates):
        if not template.metadata.name or not is_subdomain(template.metadata.name):
            yield at(index)


@RULES.rule("", f"{_TEMPLATE}.metadata.name", DUPLICATE)
def disk_template_names_are_unique(machine: Machine) -> Iterator[Place]:
    """An earlier template has the same name."""
    seen: set[str | None] = set()
    for index, template in enumerate(machine.templates):
        if template.metadata.name and template.metadata.name in seen:
            yield at(index, value=template.metadata.name)
        seen.add(template.metadata.name)


@RULES.rule("V261", f"{_TEMPLATE}.spec", REQUIRED, "must have pvc or storage, which says how large it is")
def disk_template_has_a_size(machine: Machine) -> Iterator[Place]:
    """It has neither."""
    for index, template in enumerate(machine.templates):
        if template.spec.pvc is None and template.spec.storage is None:
            yield at(index)


@RULES.rule("V262", f"{_TEMPLATE}.spec", INVALID, "must have only one of pvc, storage")
def disk_template_has_one_size(machine: Machine) -> Iterator[Place]:
    """It has both."""
    for index, template in enumerate(machine.templates):
        if template.spec.pvc is not None and template.spec.storage is not None:
            yield at(index)


@RULES.rule(
    "V263",
    f"{_TEMPLATE}.spec.{{source|sourceRef}}",
    INVALID,
    "cannot be used with a dataSource of pvc or storage, which fills the disk already",
)
def disk_template_is_filled_once(machine: Machine) -> Iterator[Place]:
    """pvc or storage has dataSource or dataSourceRef."""
    for index, template in enumerate(machine.templates):
        if _is_populated(template):
            if template.spec.source is not None:
                yield at(index, "source")
            if template.spec.source_ref is not None:
                yield at(index, "sourceRef")


@RULES.rule("V264", f"{_TEMPLATE}.spec", INVALID, "must have exactly one of source, sourceRef")
def disk_template_has_a_source(machine: Machine) -> Iterator[Place]:
    """It has neither or both, and nothing else fills it."""
    for index, template in enumerate(machine.templates):
        if not _is_populated(template) and (template.spec.source is None) == (
            template.spec.source_ref is None
        ):
            yield at(index)


@RULES.rule(
    "V265", f"{_TEMPLATE}.spec.sourceRef.kind", NOT_SUPPORTED, "{value!r} is not supported; use DataSource"
)
def disk_template_source_is_known(machine: Machine) -> Iterator[Place]:
    """It is another word."""
    for index, template in enumerate(machine.templates):
        ref = template.spec.source_ref
        if ref is not None and ref.kind != "DataSource":
            yield at(index, value=ref.kind)


@RULES.rule("V266", f"{_TEMPLATE}.spec.source", INVALID, f"must have exactly one of {', '.join(_SOURCES)}")
def disk_template_has_one_source(machine: Machine) -> Iterator[Place]:
    """It has none or several."""
    for index, template in enumerate(machine.templates):
        source = template.spec.source
        if source is not None and sum(getattr(source, name) is not None for name in _SOURCES) != 1:
            yield at(index)


@RULES.rule(
    "V267",
    f"{_TEMPLATE}.metadata.name",
    REQUIRED,
    "must be the dataVolume of one of spec.template.spec.volumes",
)
def disk_template_is_used(machine: Machine) -> Iterator[Place]:
    """No volume refers to it."""
    volumes = machine.vm.spec.template.spec.volumes or ()
    used = {volume.data_volume.name for volume in volumes if volume.data_volume}
    used |= {v.persistent_volume_claim.claim_name for v in volumes if v.persistent_volume_claim}
    for index, template in enumerate(machine.templates):
        if template.metadata.name and template.metadata.name not in used:
            yield at(index)


@RULES.rule(
    "V268", f"{_TEMPLATE}.metadata.namespace", INVALID, "must be the namespace of the virtual machine"
)
def disk_template_is_at_home(machine: Machine) -> Iterator[Place]:
    """It is another."""
    for index, template in enumerate(machine.templates):
        namespace = template.metadata.namespace
        if namespace and machine.vm.metadata.namespace and namespace != machine.vm.metadata.namespace:
            yield at(index)


def _is_populated(template: DataVolumeTemplateSpec) -> bool:
    sizes = (template.spec.pvc, template.spec.storage)
    return any(
        size is not None and (size.data_source is not None or size.data_source_ref is not None)
        for size in sizes
    )
