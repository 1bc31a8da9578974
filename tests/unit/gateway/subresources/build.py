"""VMs and instances as the API has them, in few words."""

from typing import Any

from virtdeck.crds.codec import decode
from virtdeck.crds.kubevirt.vm import VirtualMachine
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance

SPEC: dict[str, Any] = {"domain": {"devices": {}}}


def vm(strategy: str | None = "Always", *, running: bool | None = None, **status: Any) -> VirtualMachine:
    """A VM; ``status`` in JSON's spelling."""
    spec: dict[str, Any] = {"template": {"spec": SPEC}}
    spec |= {} if strategy is None else {"runStrategy": strategy}
    spec |= {} if running is None else {"running": running}
    return decode(
        {"metadata": {"name": "a", "namespace": "ns"}, "spec": spec, "status": status}, VirtualMachine
    )


def vmi(
    phase: str | None = "Running",
    *conditions: str,
    spec: dict[str, Any] | None = None,
    **status: Any,
) -> VirtualMachineInstance:
    """An instance; conditions as ``Paused`` or ``LiveMigratable=False``."""
    found = [
        {"type": kind, "status": value or "True", "message": "as told"}
        for kind, _, value in (one.partition("=") for one in conditions)
    ]
    status |= {"conditions": found} | ({} if phase is None else {"phase": phase})
    metadata = {"name": "a", "namespace": "ns", "uid": "u1"}
    return decode(
        {"metadata": metadata, "spec": SPEC | (spec or {}), "status": status}, VirtualMachineInstance
    )
