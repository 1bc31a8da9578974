"""Names of other objects are names, never paths (S-01): they become part of paths and of requests."""

from collections.abc import Iterator
from typing import Any

from virtdeck.crds.kubevirt.volumes import Volume
from virtdeck.gateway.admission.rule import INVALID, Place, Rules, at
from virtdeck.gateway.admission.subject import Subject
from virtdeck.gateway.admission.words import SUBDOMAIN_WORDS, is_subdomain

RULES: Rules[Subject] = Rules("VMI")

_WORDS = f"must be the name of an object in this namespace: {SUBDOMAIN_WORDS}"

# field of a volume → the attributes that lead to it
_IN_VOLUMES = {
    "cloudInitNoCloud.secretRef.name": "cloud_init_no_cloud secret_ref name",
    "cloudInitNoCloud.networkDataSecretRef.name": "cloud_init_no_cloud network_data_secret_ref name",
    "cloudInitConfigDrive.secretRef.name": "cloud_init_config_drive secret_ref name",
    "cloudInitConfigDrive.networkDataSecretRef.name": "cloud_init_config_drive network_data_secret_ref name",
    "containerDisk.imagePullSecret": "container_disk image_pull_secret",
    "configMap.name": "config_map name",
    "secret.secretName": "secret secret_name",
    "serviceAccount.serviceAccountName": "service_account service_account_name",
    "persistentVolumeClaim.claimName": "persistent_volume_claim claim_name",
    "ephemeral.persistentVolumeClaim.claimName": "ephemeral persistent_volume_claim claim_name",
    "dataVolume.name": "data_volume name",
    "memoryDump.claimName": "memory_dump claim_name",
    "sysprep.configMap.name": "sysprep config_map name",
    "sysprep.secret.name": "sysprep secret name",
}
_PATHS = tuple(
    (field, source, attributes)
    for field, (source, *attributes) in ((field, path.split()) for field, path in _IN_VOLUMES.items())
)


@RULES.rule("", f"spec.volumes[].{{{'|'.join(_IN_VOLUMES)}}}", INVALID, _WORDS)
def volumes_refer_to_names(vmi: Subject) -> Iterator[Place]:
    """It can be the name of nothing, and might be a path."""
    for index, volume in enumerate(vmi.spec.volumes or ()):
        for field, name in _of_volume(volume):
            if name and not is_subdomain(name):
                yield at(index, field)


@RULES.rule(
    "",
    "spec.{priorityClassName|domain.firmware.kernelBoot.container.imagePullSecret}",
    INVALID,
    _WORDS,
)
def references_are_names(vmi: Subject) -> Iterator[Place]:
    """It can be the name of nothing, and might be a path."""
    boot = vmi.firmware.kernel_boot.container if vmi.firmware.kernel_boot else None
    named = {
        "priorityClassName": vmi.spec.priority_class_name,
        "domain.firmware.kernelBoot.container.imagePullSecret": boot and boot.image_pull_secret,
    }
    for field, name in named.items():
        if name and not is_subdomain(name):
            yield at(field)


@RULES.rule(
    "",
    "spec.accessCredentials[].{sshPublicKey|userPassword}.source.secret.secretName",
    INVALID,
    _WORDS,
)
def credentials_refer_to_names(vmi: Subject) -> Iterator[Place]:
    """It can be the name of no secret, and might be a path."""
    for index, credential in enumerate(vmi.spec.access_credentials or ()):
        kinds = {"sshPublicKey": credential.ssh_public_key, "userPassword": credential.user_password}
        for kind, found in kinds.items():
            secret = found.source.secret if found is not None else None
            if secret is not None and secret.secret_name and not is_subdomain(secret.secret_name):
                yield at(index, kind)


def _of_volume(volume: Volume) -> Iterator[tuple[str, str | None]]:
    for field, source, attributes in _PATHS:
        found: Any = getattr(volume, source)
        if found is not None:
            for attribute in attributes:
                found = getattr(found, attribute, None)
            yield field, found
