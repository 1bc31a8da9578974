"""Names of other objects are names, never paths (S-01): they become part of paths and of requests."""

from collections.abc import Iterator
from typing import Any

from virtdeck.basis.errors import Cause
from virtdeck.crds.kubevirt.volumes import Volume
from virtdeck.gateway.admission.subject import Rule, Subject
from virtdeck.gateway.admission.verdict import invalid
from virtdeck.gateway.admission.words import SUBDOMAIN_WORDS, is_subdomain

Named = tuple[str, str | None]

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


def references_are_names(subject: Subject) -> Iterator[Cause]:
    """Every object that the spec refers to; an empty name is another rule's affair."""
    for path, name in _references(subject):
        if name and not is_subdomain(name):
            yield invalid(path, f"must be the name of an object in this namespace: {SUBDOMAIN_WORDS}")


def _references(subject: Subject) -> Iterator[Named]:
    yield subject.at("priorityClassName"), subject.spec.priority_class_name
    for path, volume in subject.each_volume():
        for field, name in _of_volume(volume):
            yield f"{path}.{field}", name
    boot = subject.domain.firmware.kernel_boot if subject.domain.firmware else None
    if boot and boot.container:
        field = subject.at("domain.firmware.kernelBoot.container.imagePullSecret")
        yield field, boot.container.image_pull_secret
    for index, credential in enumerate(subject.spec.access_credentials or ()):
        path = subject.at(f"accessCredentials[{index}]")
        for kind, found in (
            ("sshPublicKey", credential.ssh_public_key),
            ("userPassword", credential.user_password),
        ):
            if found is not None and found.source.secret is not None:
                yield f"{path}.{kind}.source.secret.secretName", found.source.secret.secret_name


def _of_volume(volume: Volume) -> Iterator[Named]:
    for field, attributes in _IN_VOLUMES.items():
        found: Any = volume
        for attribute in attributes.split():
            found = getattr(found, attribute, None)
        yield field, found


RULES: tuple[Rule, ...] = (references_are_names,)
