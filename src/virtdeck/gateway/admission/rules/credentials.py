"""Keys and passwords that are put into a running guest (V178–V185)."""

from collections.abc import Iterator

from virtdeck.basis.errors import Cause
from virtdeck.crds.kubevirt.credentials import SSHPublicKeyAccessCredential, UserPasswordAccessCredential
from virtdeck.gateway.admission.subject import Rule, Subject
from virtdeck.gateway.admission.verdict import invalid, not_found, required


def credential_has_one_type(subject: Subject) -> Iterator[Cause]:
    """V178"""
    for index, credential in enumerate(subject.spec.access_credentials or ()):
        if (credential.ssh_public_key is None) == (credential.user_password is None):
            path = subject.at(f"accessCredentials[{index}]")
            yield invalid(path, "must have exactly one of sshPublicKey, userPassword")


def ssh_keys_are_whole(subject: Subject) -> Iterator[Cause]:
    """V179, V181, V183–V185"""
    for index, credential in enumerate(subject.spec.access_credentials or ()):
        if credential.ssh_public_key is not None:
            path = subject.at(f"accessCredentials[{index}].sshPublicKey")
            yield from _ssh_key(subject, path, credential.ssh_public_key)


def _ssh_key(subject: Subject, path: str, key: SSHPublicKeyAccessCredential) -> Iterator[Cause]:
    if key.source.secret is None or not key.source.secret.secret_name:
        yield required(f"{path}.source.secret.secretName", "must name a secret of this namespace")
    method = key.propagation_method
    if sum(way is not None for way in (method.config_drive, method.no_cloud, method.qemu_guest_agent)) != 1:
        yield invalid(
            f"{path}.propagationMethod", "must have exactly one of configDrive, noCloud, qemuGuestAgent"
        )
    volumes = subject.volumes.values()
    if method.no_cloud is not None and not any(volume.cloud_init_no_cloud for volume in volumes):
        yield not_found(f"{path}.propagationMethod.noCloud", "needs a volume cloudInitNoCloud")
    if method.config_drive is not None and not any(volume.cloud_init_config_drive for volume in volumes):
        yield not_found(f"{path}.propagationMethod.configDrive", "needs a volume cloudInitConfigDrive")
    if method.qemu_guest_agent is not None and not method.qemu_guest_agent.users:
        yield required(
            f"{path}.propagationMethod.qemuGuestAgent.users", "must name at least one user of the guest"
        )


def passwords_are_whole(subject: Subject) -> Iterator[Cause]:
    """V180, V182"""
    for index, credential in enumerate(subject.spec.access_credentials or ()):
        if credential.user_password is not None:
            path = subject.at(f"accessCredentials[{index}].userPassword")
            yield from _password(path, credential.user_password)


def _password(path: str, password: UserPasswordAccessCredential) -> Iterator[Cause]:
    if password.source.secret is None or not password.source.secret.secret_name:
        yield required(f"{path}.source.secret.secretName", "must name a secret of this namespace")
    if password.propagation_method.qemu_guest_agent is None:
        yield required(f"{path}.propagationMethod.qemuGuestAgent", "must be given; it is the only way")


RULES: tuple[Rule, ...] = (credential_has_one_type, ssh_keys_are_whole, passwords_are_whole)
