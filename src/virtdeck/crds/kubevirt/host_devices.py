"""Devices of the host that are handed to the guest."""

from typing import Annotated

from msgspec import field

from virtdeck.crds.kubevirt.features import FeatureState
from virtdeck.crds.model import Model, doc


class VGPUDisplayOptions(Model, frozen=True, kw_only=True):
    """Whether a virtual GPU shows a picture."""

    enabled: Annotated[bool | None, doc("Whether it is on; true when it is named.")] = None
    ram_fb: Annotated[FeatureState | None, doc("A picture before the guest's driver is loaded.")] = field(
        default=None, name="ramFB"
    )


class VGPUOptions(Model, frozen=True, kw_only=True):
    """Settings of a virtual GPU."""

    display: Annotated[VGPUDisplayOptions | None, doc("Whether it shows a picture.")] = None


class GPU(Model, frozen=True, kw_only=True):
    """A graphics processor of the host."""

    name: Annotated[str, doc("Name of the device.")]
    claim_name: Annotated[str | None, doc("Name of the claim in spec.resourceClaims.")] = None
    device_name: Annotated[str | None, doc("Name of the resource, as an administrator permitted it.")] = None
    request_name: Annotated[str | None, doc("Request of the claim.")] = None
    tag: Annotated[str | None, doc("Word by which the guest finds it in its metadata.")] = None
    virtual_gpu_options: Annotated[VGPUOptions | None, doc("Settings of a virtual GPU.")] = field(
        default=None, name="virtualGPUOptions"
    )


class HostDevice(Model, frozen=True, kw_only=True):
    """A device of the host."""

    name: Annotated[str, doc("Name of the device.")]
    claim_name: Annotated[str | None, doc("Name of the claim in spec.resourceClaims.")] = None
    device_name: Annotated[str | None, doc("Name of the resource, as an administrator permitted it.")] = None
    request_name: Annotated[str | None, doc("Request of the claim.")] = None
    tag: Annotated[str | None, doc("Word by which the guest finds it in its metadata.")] = None
