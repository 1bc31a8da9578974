"""Devices that are claimed by Kubernetes' resource claims (V237–V251)."""

from collections import Counter
from collections.abc import Iterator

from virtdeck.crds.kubevirt.host_devices import GPU, HostDevice
from virtdeck.gateway.admission.rule import (
    DUPLICATE,
    INVALID,
    NOT_FOUND,
    REQUIRED,
    Place,
    Rules,
    at,
)
from virtdeck.gateway.admission.subject import Subject
from virtdeck.gateway.admission.words import LABEL_WORDS, SUBDOMAIN_WORDS, is_label, is_subdomain

RULES: Rules[Subject] = Rules("VMI")

_CLAIM, _DEVICE = "spec.resourceClaims[]", "spec.domain.devices.{gpus|hostDevices}[]"
_PAIR = "claimName {claim!r} with requestName {request!r} is used twice; each device needs its own"

Device = GPU | HostDevice


@RULES.rule("V237", f"{_CLAIM}.name", REQUIRED, "must not be empty")
def claim_has_a_name(vmi: Subject) -> Iterator[Place]:
    """It is empty."""
    for index, claim in enumerate(vmi.spec.resource_claims or ()):
        if not claim.name:
            yield at(index)


@RULES.rule("V238", f"{_CLAIM}.name", DUPLICATE)
def claim_names_are_unique(vmi: Subject) -> Iterator[Place]:
    """An earlier claim has the same name."""
    seen: set[str] = set()
    for index, claim in enumerate(vmi.spec.resource_claims or ()):
        if claim.name and claim.name in seen:
            yield at(index, value=claim.name)
        seen.add(claim.name)


@RULES.rule("V239", f"{_CLAIM}.name", INVALID, f"must be {LABEL_WORDS}")
def claim_name_is_a_label(vmi: Subject) -> Iterator[Place]:
    """It is no DNS label."""
    for index, claim in enumerate(vmi.spec.resource_claims or ()):
        if claim.name and not is_label(claim.name):
            yield at(index)


@RULES.rule("V240", _CLAIM, REQUIRED, "must have resourceClaimName or resourceClaimTemplateName")
def claim_has_a_source(vmi: Subject) -> Iterator[Place]:
    """It has neither."""
    for index, claim in enumerate(vmi.spec.resource_claims or ()):
        if claim.resource_claim_name is None and claim.resource_claim_template_name is None:
            yield at(index)


@RULES.rule("V241", _CLAIM, INVALID, "must have only one of resourceClaimName, resourceClaimTemplateName")
def claim_has_one_source(vmi: Subject) -> Iterator[Place]:
    """It has both."""
    for index, claim in enumerate(vmi.spec.resource_claims or ()):
        if claim.resource_claim_name is not None and claim.resource_claim_template_name is not None:
            yield at(index)


@RULES.rule("V242", f"{_CLAIM}.resourceClaimName", INVALID, f"must be {SUBDOMAIN_WORDS}")
def claim_refers_to_a_name(vmi: Subject) -> Iterator[Place]:
    """It can be the name of no ResourceClaim."""
    for index, claim in enumerate(vmi.spec.resource_claims or ()):
        if claim.resource_claim_name is not None and not is_subdomain(claim.resource_claim_name):
            yield at(index)


@RULES.rule("V243", f"{_CLAIM}.resourceClaimTemplateName", INVALID, f"must be {SUBDOMAIN_WORDS}")
def claim_refers_to_a_template(vmi: Subject) -> Iterator[Place]:
    """It can be the name of no ResourceClaimTemplate."""
    for index, claim in enumerate(vmi.spec.resource_claims or ()):
        name = claim.resource_claim_template_name
        if name is not None and not is_subdomain(name):
            yield at(index)


@RULES.rule(
    "V244", _DEVICE, INVALID, "must have either deviceName, or claimName and requestName; it has {what}"
)
def device_has_one_source(vmi: Subject) -> Iterator[Place]:
    """It has neither or both."""
    for kind, index, device in _devices(vmi):
        if _is_claimed(device) == bool(device.device_name):
            yield at(kind, index, what="both" if device.device_name else "neither")


@RULES.rule("V245", "spec.domain.devices.gpus", INVALID, "must all have deviceName, or all have claimName")
def gpus_are_of_one_kind(vmi: Subject) -> Iterator[Place]:
    """Some are claimed and some are not."""
    gpus = vmi.devices.gpus or ()
    if len({_is_claimed(gpu) for gpu in gpus if _is_claimed(gpu) != bool(gpu.device_name)}) > 1:
        yield at()


@RULES.gate("V246a", "spec.domain.devices.gpus[].claimName", "GPUsWithDRA")
def claimed_gpus_need_their_gate(vmi: Subject) -> Iterator[Place]:
    """A GPU is claimed and the gate is off."""
    for index, gpu in enumerate(vmi.devices.gpus or ()):
        if _is_claimed(gpu):
            yield at(index)


@RULES.gate("V246b", "spec.domain.devices.hostDevices[].claimName", "HostDevicesWithDRA")
def claimed_host_devices_need_their_gate(vmi: Subject) -> Iterator[Place]:
    """A host device is claimed and the gate is off."""
    for index, device in enumerate(vmi.devices.host_devices or ()):
        if _is_claimed(device):
            yield at(index)


@RULES.rule("V247", f"{_DEVICE}.claimName", REQUIRED, "must be given with requestName")
def device_names_its_claim(vmi: Subject) -> Iterator[Place]:
    """requestName stands alone."""
    for kind, index, device in _devices(vmi):
        if _is_claimed(device) and not device.claim_name:
            yield at(kind, index)


@RULES.rule("V248", f"{_DEVICE}.requestName", REQUIRED, "must be given with claimName")
def device_names_its_request(vmi: Subject) -> Iterator[Place]:
    """claimName stands alone."""
    for kind, index, device in _devices(vmi):
        if _is_claimed(device) and not device.request_name:
            yield at(kind, index)


@RULES.rule("V249", _DEVICE, DUPLICATE, _PAIR)
def requests_are_unique(vmi: Subject) -> Iterator[Place]:
    """An earlier device of the same kind has the same claim and request."""
    seen: Counter[tuple[str, str, str]] = Counter()
    for kind, index, device in _devices(vmi):
        if device.claim_name and device.request_name:
            seen[kind, device.claim_name, device.request_name] += 1
            if seen[kind, device.claim_name, device.request_name] > 1:
                yield at(kind, index, claim=device.claim_name, request=device.request_name)


@RULES.rule("V250", "spec.domain.devices.hostDevices[]", DUPLICATE, _PAIR)
def requests_are_unique_across_kinds(vmi: Subject) -> Iterator[Place]:
    """A GPU has the same claim and request."""
    gpus = {(gpu.claim_name, gpu.request_name) for gpu in vmi.devices.gpus or () if gpu.claim_name}
    for index, device in enumerate((vmi.devices.host_devices or ()) if gpus else ()):
        if device.request_name and (device.claim_name, device.request_name) in gpus:
            yield at(index, claim=device.claim_name, request=device.request_name)


@RULES.rule(
    "V251",
    f"{_DEVICE}.claimName",
    NOT_FOUND,
    "{claim!r} must be the name of one of {base}spec.resourceClaims",
)
def claim_is_declared(vmi: Subject) -> Iterator[Place]:
    """None has this name."""
    for kind, index, device in _devices(vmi):
        if device.claim_name and device.claim_name not in declared(vmi):
            yield at(kind, index, claim=device.claim_name)


def declared(vmi: Subject) -> set[str]:
    """Names of the claims that the VMI declares."""
    return {claim.name for claim in vmi.spec.resource_claims or ()}


def _is_claimed(device: Device) -> bool:
    return bool(device.claim_name or device.request_name)


def _devices(vmi: Subject) -> Iterator[tuple[str, int, Device]]:
    for index, gpu in enumerate(vmi.devices.gpus or ()):
        yield "gpus", index, gpu
    for index, device in enumerate(vmi.devices.host_devices or ()):
        yield "hostDevices", index, device
