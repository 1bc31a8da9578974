"""Keys and passwords that are put into a running guest (V178–V185)."""

from collections.abc import Iterator

from virtdeck.crds.kubevirt.credentials import SSHPublicKeyAccessCredential, UserPasswordAccessCredential
from virtdeck.gateway.admission.rule import INVALID, NOT_FOUND, REQUIRED, Place, Rules, at
from virtdeck.gateway.admission.subject import Subject

RULES: Rules[Subject] = Rules("VMI")

_KEY, _PASSWORD = "spec.accessCredentials[].sshPublicKey", "spec.accessCredentials[].userPassword"
_SECRET = "must name a secret of this namespace"  # noqa: S105 - a sentence
_METHOD = "propagationMethod"


@RULES.rule(
    "V178", "spec.accessCredentials[]", INVALID, "must have exactly one of sshPublicKey, userPassword"
)
def credential_has_one_type(vmi: Subject) -> Iterator[Place]:
    """It has neither or both."""
    for index, credential in enumerate(vmi.spec.access_credentials or ()):
        if (credential.ssh_public_key is None) == (credential.user_password is None):
            yield at(index)


@RULES.rule("V179", f"{_KEY}.source.secret.secretName", REQUIRED, _SECRET)
def key_has_a_source(vmi: Subject) -> Iterator[Place]:
    """There is none."""
    for index, key in _keys(vmi):
        if key.source.secret is None or not key.source.secret.secret_name:
            yield at(index)


@RULES.rule("V180", f"{_PASSWORD}.source.secret.secretName", REQUIRED, _SECRET)
def password_has_a_source(vmi: Subject) -> Iterator[Place]:
    """There is none."""
    for index, password in _passwords(vmi):
        if password.source.secret is None or not password.source.secret.secret_name:
            yield at(index)


@RULES.rule(
    "V181", f"{_KEY}.{_METHOD}", INVALID, "must have exactly one of configDrive, noCloud, qemuGuestAgent"
)
def key_has_one_way(vmi: Subject) -> Iterator[Place]:
    """It has none or several."""
    for index, key in _keys(vmi):
        method = key.propagation_method
        ways = (method.config_drive, method.no_cloud, method.qemu_guest_agent)
        if sum(way is not None for way in ways) != 1:
            yield at(index)


@RULES.rule("V182", f"{_PASSWORD}.{_METHOD}.qemuGuestAgent", REQUIRED, "must be given; it is the only way")
def password_has_a_way(vmi: Subject) -> Iterator[Place]:
    """There is none."""
    for index, password in _passwords(vmi):
        if password.propagation_method.qemu_guest_agent is None:
            yield at(index)


@RULES.rule("V183", f"{_KEY}.{_METHOD}.noCloud", NOT_FOUND, "needs a volume cloudInitNoCloud")
def no_cloud_has_a_volume(vmi: Subject) -> Iterator[Place]:
    """There is none."""
    for index, key in _keys(vmi):
        if key.propagation_method.no_cloud is not None and not any(
            volume.cloud_init_no_cloud for volume in vmi.spec.volumes or ()
        ):
            yield at(index)


@RULES.rule("V184", f"{_KEY}.{_METHOD}.configDrive", NOT_FOUND, "needs a volume cloudInitConfigDrive")
def config_drive_has_a_volume(vmi: Subject) -> Iterator[Place]:
    """There is none."""
    for index, key in _keys(vmi):
        if key.propagation_method.config_drive is not None and not any(
            volume.cloud_init_config_drive for volume in vmi.spec.volumes or ()
        ):
            yield at(index)


@RULES.rule(
    "V185", f"{_KEY}.{_METHOD}.qemuGuestAgent.users", REQUIRED, "must name at least one user of the guest"
)
def agent_has_a_user(vmi: Subject) -> Iterator[Place]:
    """There is none."""
    for index, key in _keys(vmi):
        agent = key.propagation_method.qemu_guest_agent
        if agent is not None and not agent.users:
            yield at(index)


def _keys(vmi: Subject) -> Iterator[tuple[int, SSHPublicKeyAccessCredential]]:
    for index, credential in enumerate(vmi.spec.access_credentials or ()):
        if credential.ssh_public_key is not None:
            yield index, credential.ssh_public_key


def _passwords(vmi: Subject) -> Iterator[tuple[int, UserPasswordAccessCredential]]:
    for index, credential in enumerate(vmi.spec.access_credentials or ()):
        if credential.user_password is not None:
            yield index, credential.user_password
