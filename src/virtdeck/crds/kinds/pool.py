"""The kind of ``pool.kubevirt.io``."""

from typing import TYPE_CHECKING, Any

from virtdeck.crds.kinds.columns import AGE, replicas
from virtdeck.crds.kinds.kind import ALL, Kind, Version

if TYPE_CHECKING:
    from virtdeck.crds.pool.pool import VirtualMachinePool

POOL: "Kind[VirtualMachinePool]" = Kind(
    "pool.kubevirt.io",
    "v1beta1",
    "virtualmachinepools",
    "VirtualMachinePool",
    "pool.pool:VirtualMachinePool",
    short_names=("vmpool", "vmpools"),
    categories=ALL,
    columns=(*replicas("machines"), AGE),
    subresources=("status", "scale"),
    older=(Version("v1alpha1"),),
)

KINDS: tuple[Kind[Any], ...] = (POOL,)
