"""Networks whose devices are claimed by Kubernetes' resource claims (V230–V236)."""

from collections.abc import Iterator

from virtdeck.crds.kubevirt.network import ClaimRequest
from virtdeck.gateway.admission.rule import DUPLICATE, INVALID, NOT_FOUND, REQUIRED, Place, Rules, at
from virtdeck.gateway.admission.rules.claims import declared
from virtdeck.gateway.admission.subject import Subject

RULES: Rules[Subject] = Rules("VMI")

_CLAIM = "spec.networks[].resourceClaim"


@RULES.gate("V230", _CLAIM, "NetworkDevicesWithDRA")
def claimed_networks_need_their_gate(vmi: Subject) -> Iterator[Place]:
    """It is given and the gate is off."""
    yield from (at(index) for index, _ in _claims(vmi))


@RULES.rule(
    "V231", "spec.networks[].multus", INVALID, "cannot be used in one VM with networks of kind resourceClaim"
)
def claims_are_not_mixed_with_multus(vmi: Subject) -> Iterator[Place]:
    """Another network has resourceClaim."""
    if any(True for _ in _claims(vmi)):
        for index, network in enumerate(vmi.networks):
            if network.multus is not None:
                yield at(index)


@RULES.rule(
    "V232",
    f"{_CLAIM}.claimName",
    NOT_FOUND,
    "{claim!r} must be the name of one of {base}spec.resourceClaims",
)
def network_claim_is_declared(vmi: Subject) -> Iterator[Place]:
    """None has this name."""
    for index, claim in _claims(vmi):
        if claim.claim_name and claim.claim_name not in declared(vmi):
            yield at(index, claim=claim.claim_name)


@RULES.rule(
    "V233",
    _CLAIM,
    DUPLICATE,
    "claimName {claim!r} with requestName {request!r} is used twice; each network needs its own",
)
def network_requests_are_unique(vmi: Subject) -> Iterator[Place]:
    """An earlier network has the same claim and request."""
    seen: set[tuple[str | None, str | None]] = set()
    for index, claim in _claims(vmi):
        pair = (claim.claim_name, claim.request_name)
        if all(pair) and pair in seen:
            yield at(index, claim=claim.claim_name, request=claim.request_name)
        seen.add(pair)


@RULES.rule("V234", f"{_CLAIM}.claimName", REQUIRED, "must be given")
def network_names_its_claim(vmi: Subject) -> Iterator[Place]:
    """It is not."""
    for index, claim in _claims(vmi):
        if not claim.claim_name:
            yield at(index)


@RULES.rule("V235", f"{_CLAIM}.requestName", REQUIRED, "must be given")
def network_names_its_request(vmi: Subject) -> Iterator[Place]:
    """It is not."""
    for index, claim in _claims(vmi):
        if not claim.request_name:
            yield at(index)


@RULES.rule(
    "V236",
    "spec.domain.devices.interfaces[]",
    INVALID,
    "must have sriov or binding, for its network is of kind resourceClaim",
)
def claimed_network_is_passed_through(vmi: Subject) -> Iterator[Place]:
    """The binding is another."""
    names = {vmi.networks[index].name for index, _ in _claims(vmi)}
    for index, interface in enumerate(vmi.interfaces if names else ()):
        if interface.name in names and interface.sriov is None and interface.binding is None:
            yield at(index)


def _claims(vmi: Subject) -> Iterator[tuple[int, ClaimRequest]]:
    for index, network in enumerate(vmi.networks):
        if network.resource_claim is not None:
            yield index, network.resource_claim
