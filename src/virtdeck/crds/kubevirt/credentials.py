"""Keys and passwords that are put into a running guest."""

from virtdeck.crds.model import Model


class AccessCredentialSecretSource(Model, frozen=True, kw_only=True):
    """TBD"""

    secret_name: str


class ConfigDriveSSHPublicKeyAccessCredentialPropagation(Model, frozen=True, kw_only=True):
    """TBD"""


class NoCloudSSHPublicKeyAccessCredentialPropagation(Model, frozen=True, kw_only=True):
    """TBD"""


class QemuGuestAgentSSHPublicKeyAccessCredentialPropagation(Model, frozen=True, kw_only=True):
    """TBD"""

    users: tuple[str, ...]


class SSHPublicKeyAccessCredentialPropagationMethod(Model, frozen=True, kw_only=True):
    """TBD"""

    config_drive: ConfigDriveSSHPublicKeyAccessCredentialPropagation | None = None
    no_cloud: NoCloudSSHPublicKeyAccessCredentialPropagation | None = None
    qemu_guest_agent: QemuGuestAgentSSHPublicKeyAccessCredentialPropagation | None = None


class SSHPublicKeyAccessCredentialSource(Model, frozen=True, kw_only=True):
    """TBD"""

    secret: AccessCredentialSecretSource | None = None


class SSHPublicKeyAccessCredential(Model, frozen=True, kw_only=True):
    """TBD"""

    propagation_method: SSHPublicKeyAccessCredentialPropagationMethod
    source: SSHPublicKeyAccessCredentialSource


class QemuGuestAgentUserPasswordAccessCredentialPropagation(Model, frozen=True, kw_only=True):
    """TBD"""


class UserPasswordAccessCredentialPropagationMethod(Model, frozen=True, kw_only=True):
    """TBD"""

    qemu_guest_agent: QemuGuestAgentUserPasswordAccessCredentialPropagation | None = None


class UserPasswordAccessCredentialSource(Model, frozen=True, kw_only=True):
    """TBD"""

    secret: AccessCredentialSecretSource | None = None


class UserPasswordAccessCredential(Model, frozen=True, kw_only=True):
    """TBD"""

    propagation_method: UserPasswordAccessCredentialPropagationMethod
    source: UserPasswordAccessCredentialSource


class AccessCredential(Model, frozen=True, kw_only=True):
    """TBD"""

    ssh_public_key: SSHPublicKeyAccessCredential | None = None
    user_password: UserPasswordAccessCredential | None = None
