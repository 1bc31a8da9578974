"""What is behind the disks (V151–V158, V166, V171–V177)."""

from collections.abc import Iterator

from virtdeck.crds.kubevirt.volumes import Volume
from virtdeck.gateway.admission.amounts import bytes_or_none, why_unreadable
from virtdeck.gateway.admission.rule import (
    DUPLICATE,
    FORBIDDEN,
    INVALID,
    REQUIRED,
    Place,
    Rules,
    at,
)
from virtdeck.gateway.admission.subject import Subject
from virtdeck.gateway.admission.words import LABEL_WORDS, is_clean_absolute_path, is_label

RULES: Rules[Subject] = Rules("VMI")

_SOURCES = tuple(name for name in Volume.__struct_fields__ if name != "name")
_RUNTIME = ("/var/run/kubevirt", "/var/run/libvirt", "/run/kubevirt", "/run/libvirt")
_SINGLE = "can be used by one volume only"
_EMPTY = "must not be empty"


@RULES.rule("V151", "spec.volumes[].name", DUPLICATE)
def volume_names_are_unique(vmi: Subject) -> Iterator[Place]:
    """An earlier volume has the same name."""
    if len(vmi.volumes) == len(vmi.spec.volumes or ()):
        return
    seen: set[str] = set()
    for index, volume in enumerate(vmi.spec.volumes or ()):
        if volume.name in seen:
            yield at(index, value=volume.name)
        seen.add(volume.name)


@RULES.rule("", "spec.volumes[].name", INVALID, f"must be {LABEL_WORDS}")
def volume_name_is_a_label(vmi: Subject) -> Iterator[Place]:
    """It is no DNS label, and becomes the name of a volume of the pod."""
    for index, volume in enumerate(vmi.spec.volumes or ()):
        if not is_label(volume.name):
            yield at(index)


@RULES.rule(
    "V152", "spec.volumes[]", INVALID, "must have exactly one source, as containerDisk; it has {what}"
)
def volume_has_one_source(vmi: Subject) -> Iterator[Place]:
    """It has none or several."""
    for index, volume in enumerate(vmi.spec.volumes or ()):
        given = sum(getattr(volume, name) is not None for name in _SOURCES)
        if given != 1:
            yield at(index, what=given or "none")


@RULES.rule("V153", "spec.volumes[].dataVolume.name", REQUIRED, _EMPTY)
def data_volume_is_named(vmi: Subject) -> Iterator[Place]:
    """It is empty."""
    for index, volume in enumerate(vmi.spec.volumes or ()):
        if volume.data_volume is not None and not volume.data_volume.name:
            yield at(index)


@RULES.rule("", "spec.volumes[].persistentVolumeClaim.claimName", REQUIRED, _EMPTY)
def claim_is_named(vmi: Subject) -> Iterator[Place]:
    """It is empty."""
    for index, volume in enumerate(vmi.spec.volumes or ()):
        if volume.persistent_volume_claim is not None and not volume.persistent_volume_claim.claim_name:
            yield at(index)


@RULES.rule("V171", "spec.volumes[].configMap.name", REQUIRED, _EMPTY)
def config_map_is_named(vmi: Subject) -> Iterator[Place]:
    """It is empty."""
    for index, volume in enumerate(vmi.spec.volumes or ()):
        if volume.config_map is not None and not volume.config_map.name:
            yield at(index)


@RULES.rule("V172", "spec.volumes[].secret.secretName", REQUIRED, _EMPTY)
def secret_is_named(vmi: Subject) -> Iterator[Place]:
    """It is empty."""
    for index, volume in enumerate(vmi.spec.volumes or ()):
        if volume.secret is not None and not volume.secret.secret_name:
            yield at(index)


@RULES.rule("V173", "spec.volumes[].serviceAccount.serviceAccountName", REQUIRED, _EMPTY)
def service_account_is_named(vmi: Subject) -> Iterator[Place]:
    """It is empty."""
    for index, volume in enumerate(vmi.spec.volumes or ()):
        if volume.service_account is not None and not volume.service_account.service_account_name:
            yield at(index)


@RULES.rule("V154", "spec.volumes[].name", INVALID, "must be the name of a disk or file system")
def volume_is_seen_by_the_guest(vmi: Subject) -> Iterator[Place]:
    """None has this name; a template's missing disks are added when it starts."""
    if vmi.is_template:
        return
    for index, volume in enumerate(vmi.spec.volumes or ()):
        seen = volume.name in vmi.drives or volume.name in vmi.filesystems
        # Rules of their own say what those need.
        special = (volume.memory_dump, volume.downward_metrics, volume.container_path)
        if not seen and special == (None, None, None):
            yield at(index)


@RULES.rule("V155", "spec.volumes[].name", INVALID, "cannot be the name of a disk: containerPath is a folder")
def container_path_is_no_disk(vmi: Subject) -> Iterator[Place]:
    """It is the name of a disk as well."""
    for index, volume in enumerate(vmi.spec.volumes or ()):
        if volume.container_path is not None and volume.name in vmi.drives:
            yield at(index)


@RULES.rule("V156", "spec.volumes[].name", REQUIRED, "must be the name of a file system, for containerPath")
def container_path_is_a_filesystem(vmi: Subject) -> Iterator[Place]:
    """No file system has this name."""
    for index, volume in enumerate(vmi.spec.volumes or ()):
        unseen = volume.name not in vmi.filesystems and volume.name not in vmi.drives
        if volume.container_path is not None and unseen:
            yield at(index)


@RULES.rule(
    "V157",
    "spec.volumes[].containerPath.path",
    INVALID,
    f"must be an absolute path, without '..', outside {' and '.join(_RUNTIME[:2])}",
)
def container_path_is_outside(vmi: Subject) -> Iterator[Place]:
    """It is relative, or leads to what virtdeck itself keeps there."""
    for index, volume in enumerate(vmi.spec.volumes or ()):
        path = volume.container_path.path if volume.container_path else None
        if path is not None and (not is_clean_absolute_path(path) or _is_runtime(path)):
            yield at(index)


def _is_runtime(path: str) -> bool:
    return any(path == folder or path.startswith(f"{folder}/") for folder in _RUNTIME)


@RULES.gate("V158", "spec.volumes[].containerPath", "ContainerPathVolumes")
def container_path_needs_its_gate(vmi: Subject) -> Iterator[Place]:
    """It is given and the gate is off."""
    for index, volume in enumerate(vmi.spec.volumes or ()):
        if volume.container_path is not None:
            yield at(index)


@RULES.gate("V166", "spec.volumes[].downwardMetrics", "DownwardMetrics")
def downward_metrics_volume_needs_its_gate(vmi: Subject) -> Iterator[Place]:
    """It is given and the gate is off."""
    for index, volume in enumerate(vmi.spec.volumes or ()):
        if volume.downward_metrics is not None:
            yield at(index)


@RULES.rule("", "spec.volumes[].emptyDisk.capacity", INVALID, "{why}")
def empty_disk_has_a_size(vmi: Subject) -> Iterator[Place]:
    """It is no quantity, or not more than 0."""
    for index, volume in enumerate(vmi.spec.volumes or ()):
        capacity = volume.empty_disk.capacity if volume.empty_disk else None
        if capacity is not None and (bytes_or_none(capacity) or 0) <= 0:
            yield at(index, why=why_unreadable(capacity) or "must be more than 0, as 2Gi")


@RULES.rule("V174", "spec.volumes[].serviceAccount", INVALID, _SINGLE)
def one_service_account(vmi: Subject) -> Iterator[Place]:
    """An earlier volume uses it."""
    return _further(vmi, "service_account")


@RULES.rule("V175", "spec.volumes[].downwardMetrics", INVALID, _SINGLE)
def one_downward_metrics(vmi: Subject) -> Iterator[Place]:
    """An earlier volume uses it."""
    return _further(vmi, "downward_metrics")


@RULES.rule("V176", "spec.volumes[].memoryDump", INVALID, _SINGLE)
def one_memory_dump(vmi: Subject) -> Iterator[Place]:
    """An earlier volume uses it."""
    return _further(vmi, "memory_dump")


def _further(vmi: Subject, source: str) -> Iterator[Place]:
    volumes = enumerate(vmi.spec.volumes or ())
    found = [index for index, volume in volumes if getattr(volume, source) is not None]
    return (at(index) for index in found[1:])


@RULES.rule("V177", "spec.utilityVolumes", FORBIDDEN, "are attached to a running VMI by virtdeck itself")
def utility_volumes_come_later(vmi: Subject) -> Iterator[Place]:
    """There are some when the object is made."""
    if vmi.spec.utility_volumes and vmi.is_new:
        yield at()
