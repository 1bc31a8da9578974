"""Devices of the host that are handed to the guest."""

from msgspec import field

from virtdeck.crds.kubevirt.features import FeatureState
from virtdeck.crds.model import Model


class VGPUDisplayOptions(Model, frozen=True, kw_only=True):
    """TBD"""

    enabled: bool | None = None
    ram_fb: FeatureState | None = field(default=None, name="ramFB")


class VGPUOptions(Model, frozen=True, kw_only=True):
    """TBD"""

    display: VGPUDisplayOptions | None = None


class GPU(Model, frozen=True, kw_only=True):
    """TBD"""

    name: str
    claim_name: str | None = None
    device_name: str | None = None
    request_name: str | None = None
    tag: str | None = None
    virtual_gpu_options: VGPUOptions | None = field(default=None, name="virtualGPUOptions")


class HostDevice(Model, frozen=True, kw_only=True):
    """TBD"""

    name: str
    claim_name: str | None = None
    device_name: str | None = None
    request_name: str | None = None
    tag: str | None = None
