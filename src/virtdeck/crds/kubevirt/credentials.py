"""Keys and passwords that are put into a running guest."""

from typing import Annotated

from virtdeck.crds.model import Model, doc


class AccessCredentialSecretSource(Model, frozen=True, kw_only=True):
    """A secret of this namespace."""

    secret_name: Annotated[str, doc("Name of the secret.")]


class ConfigDriveSSHPublicKeyAccessCredentialPropagation(Model, frozen=True, kw_only=True):
    """By the config drive, at the first boot."""


class NoCloudSSHPublicKeyAccessCredentialPropagation(Model, frozen=True, kw_only=True):
    """By NoCloud, at the first boot."""


class QemuGuestAgentSSHPublicKeyAccessCredentialPropagation(Model, frozen=True, kw_only=True):
    """By the guest agent, while the guest runs."""

    users: Annotated[
        tuple[str, ...], doc("Users of the guest whose authorized_keys get the keys; at least one.")
    ]


class SSHPublicKeyAccessCredentialPropagationMethod(Model, frozen=True, kw_only=True):
    """How keys come into the guest: exactly one."""

    config_drive: Annotated[
        ConfigDriveSSHPublicKeyAccessCredentialPropagation | None,
        doc(
            "Cloud-init reads them from the config drive, at the first start. Needs a "
            "cloudInitConfigDrive volume; excludes the two others."
        ),
    ] = None
    no_cloud: Annotated[
        NoCloudSSHPublicKeyAccessCredentialPropagation | None,
        doc(
            "Cloud-init reads them from NoCloud, at the first start. Needs a cloudInitNoCloud volume; "
            "excludes the two others."
        ),
    ] = None
    qemu_guest_agent: Annotated[
        QemuGuestAgentSSHPublicKeyAccessCredentialPropagation | None,
        doc("The guest agent writes them, and again when the secret changes. Excludes the two others."),
    ] = None


class SSHPublicKeyAccessCredentialSource(Model, frozen=True, kw_only=True):
    """Where keys are."""

    secret: Annotated[
        AccessCredentialSecretSource | None,
        doc("A secret of this namespace; each of its entries is a key, as ssh-ed25519 AAAA…."),
    ] = None


class SSHPublicKeyAccessCredential(Model, frozen=True, kw_only=True):
    """SSH keys that may log in."""

    propagation_method: Annotated[
        SSHPublicKeyAccessCredentialPropagationMethod, doc("How they come into the guest.")
    ]
    source: Annotated[SSHPublicKeyAccessCredentialSource, doc("Where they are.")]


class QemuGuestAgentUserPasswordAccessCredentialPropagation(Model, frozen=True, kw_only=True):
    """By the guest agent."""


class UserPasswordAccessCredentialPropagationMethod(Model, frozen=True, kw_only=True):
    """How passwords come into the guest."""

    qemu_guest_agent: Annotated[
        QemuGuestAgentUserPasswordAccessCredentialPropagation | None,
        doc("The guest agent sets them, and again when the secret changes."),
    ] = None


class UserPasswordAccessCredentialSource(Model, frozen=True, kw_only=True):
    """Where passwords are."""

    secret: Annotated[
        AccessCredentialSecretSource | None,
        doc("A secret of this namespace; each entry's name is a user, its value the password."),
    ] = None


class UserPasswordAccessCredential(Model, frozen=True, kw_only=True):
    """Passwords of the guest's users."""

    propagation_method: Annotated[
        UserPasswordAccessCredentialPropagationMethod, doc("How they come into the guest.")
    ]
    source: Annotated[UserPasswordAccessCredentialSource, doc("Where they are.")]


class AccessCredential(Model, frozen=True, kw_only=True):
    """Keys or passwords: exactly one."""

    ssh_public_key: Annotated[
        SSHPublicKeyAccessCredential | None, doc("SSH keys that may log in. Excludes userPassword.")
    ] = None
    user_password: Annotated[
        UserPasswordAccessCredential | None, doc("Passwords of the guest's users. Excludes sshPublicKey.")
    ] = None
