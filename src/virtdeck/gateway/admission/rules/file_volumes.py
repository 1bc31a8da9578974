"""Volumes that hand files to the guest."""

from collections.abc import Iterator

from virtdeck.crds.kubevirt.volumes import MOST_LABEL_BYTES
from virtdeck.gateway.admission.rule import INVALID, REQUIRED, Place, Rules, at
from virtdeck.gateway.admission.subject import Subject

RULES: Rules[Subject] = Rules("VMI")

_LABELLED = {"configMap": "config_map", "secret": "secret", "downwardAPI": "downward_api"}


@RULES.rule(
    "",
    f"spec.volumes[].{{{'|'.join(_LABELLED)}}}.volumeLabel",
    INVALID,
    f"must be at most {MOST_LABEL_BYTES} bytes long, as a CD's label is",
)
def volume_label_fits_a_cd(vmi: Subject) -> Iterator[Place]:
    """It is longer than ISO 9660 allows."""
    for index, volume in enumerate(vmi.spec.volumes or ()):
        for field, attribute in _LABELLED.items():
            source = getattr(volume, attribute)
            if source and len((source.volume_label or "").encode()) > MOST_LABEL_BYTES:
                yield at(index, field)


@RULES.rule("", "spec.volumes[].sysprep", REQUIRED, "must have a configMap or a secret, and not both")
def sysprep_has_one_source(vmi: Subject) -> Iterator[Place]:
    """It has none or both."""
    for index, volume in enumerate(vmi.spec.volumes or ()):
        answers = volume.sysprep
        if answers and (answers.config_map is None) == (answers.secret is None):
            yield at(index)
