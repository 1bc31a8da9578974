"""Devices of the host that are handed to the guest."""

from typing import Annotated

from msgspec import field

from virtdeck.crds.kubevirt.features import FeatureState
from virtdeck.crds.model import Model, doc


class VGPUDisplayOptions(Model, frozen=True, kw_only=True):
    """Whether a virtual GPU shows a picture."""

    enabled: Annotated[bool | None, doc("Whether it shows a picture; true when absent.")] = None
    ram_fb: Annotated[
        FeatureState | None,
        doc(
            "Whether there is a picture before the guest's driver is loaded; on when absent. One GPU of a "
            "VMI may have it."
        ),
    ] = field(default=None, name="ramFB")


class VGPUOptions(Model, frozen=True, kw_only=True):
    """Settings of a virtual GPU."""

    display: Annotated[VGPUDisplayOptions | None, doc("Whether it shows a picture.")] = None


class GPU(Model, frozen=True, kw_only=True):
    """A graphics processor of the host."""

    name: Annotated[str, doc("Name of the device.")]
    claim_name: Annotated[str | None, doc("Name of a claim in spec.resourceClaims. Excludes deviceName.")] = (
        None
    )
    device_name: Annotated[
        str | None,
        doc(
            "Name of the resource, as an administrator permitted it in the KubeVirt object: "
            "nvidia.com/T4. Excludes claimName."
        ),
    ] = None
    request_name: Annotated[str | None, doc("Request of that claim; with claimName.")] = None
    tag: Annotated[str | None, doc("Word by which the guest finds it in its metadata.")] = None
    virtual_gpu_options: Annotated[
        VGPUOptions | None, doc("Settings of a virtual GPU; ignored for whole ones.")
    ] = field(default=None, name="virtualGPUOptions")


class HostDevice(Model, frozen=True, kw_only=True):
    """A device of the host."""

    name: Annotated[str, doc("Name of the device.")]
    claim_name: Annotated[str | None, doc("Name of a claim in spec.resourceClaims. Excludes deviceName.")] = (
        None
    )
    device_name: Annotated[
        str | None,
        doc(
            "Name of the resource, as an administrator permitted it in the KubeVirt object: "
            "example.com/nic. Excludes claimName."
        ),
    ] = None
    request_name: Annotated[str | None, doc("Request of that claim; with claimName.")] = None
    tag: Annotated[str | None, doc("Word by which the guest finds it in its metadata.")] = None
