"""Encrypted guests."""

from virtdeck.crds.model import Model


class SEVAttestation(Model, frozen=True, kw_only=True):
    """TBD"""


class SEVPolicy(Model, frozen=True, kw_only=True):
    """TBD"""

    encrypted_state: bool | None = None


class SEV(Model, frozen=True, kw_only=True):
    """TBD"""

    attestation: SEVAttestation | None = None
    dh_cert: str | None = None
    policy: SEVPolicy | None = None
    session: str | None = None


class SEVSNP(Model, frozen=True, kw_only=True):
    """TBD"""


class TDX(Model, frozen=True, kw_only=True):
    """TBD"""


class LaunchSecurity(Model, frozen=True, kw_only=True):
    """TBD"""

    sev: SEV | None = None
    snp: SEVSNP | None = None
    tdx: TDX | None = None
