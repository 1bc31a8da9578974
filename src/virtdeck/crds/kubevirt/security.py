"""Encrypted guests."""

from typing import Annotated

from virtdeck.crds.model import Model, doc


class SEVAttestation(Model, frozen=True, kw_only=True):
    """The guest is checked before it starts."""


class SEVPolicy(Model, frozen=True, kw_only=True):
    """What a SEV guest insists on."""

    encrypted_state: Annotated[
        bool | None, doc("true: registers are encrypted as well (SEV-ES). false when absent.")
    ] = None


class SEV(Model, frozen=True, kw_only=True):
    """Memory encrypted by AMD SEV."""

    attestation: Annotated[SEVAttestation | None, doc("The guest is checked before it starts.")] = None
    dh_cert: Annotated[str | None, doc("The owner's key, Base64.")] = None
    policy: Annotated[SEVPolicy | None, doc("What the guest insists on.")] = None
    session: Annotated[str | None, doc("The owner's session, Base64.")] = None


class SEVSNP(Model, frozen=True, kw_only=True):
    """Memory encrypted by AMD SEV-SNP."""


class TDX(Model, frozen=True, kw_only=True):
    """Memory encrypted by Intel TDX."""


class LaunchSecurity(Model, frozen=True, kw_only=True):
    """The host cannot read the guest's memory."""

    sev: Annotated[SEV | None, doc("AMD SEV. Excludes the others.")] = None
    snp: Annotated[SEVSNP | None, doc("AMD SEV-SNP, the newest of AMD's. Excludes the others.")] = None
    tdx: Annotated[TDX | None, doc("Intel TDX. Excludes the others.")] = None
