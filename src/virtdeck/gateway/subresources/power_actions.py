"""Start, stop, restart and migrate: read, decide, write; from the beginning when others wrote in between."""

from collections.abc import Callable
from typing import Any

from virtdeck.basis.errors import Conflict, VirtdeckError
from virtdeck.crds import kinds
from virtdeck.crds.kubevirt.options import RestartOptions, StartOptions, StopOptions
from virtdeck.crds.kubevirt.vm import VirtualMachine
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.gateway.subresources import checks, power
from virtdeck.gateway.subresources.calls import ACCEPTED, Call, Reply, not_built, require_vm
from virtdeck.gateway.subresources.options import is_dry_run, read_options

_TRIES = 5

Decision = Callable[[VirtualMachine, VirtualMachineInstance | None], power.Patches]


async def start(call: Call) -> Reply:
    options = read_options(call.body, StartOptions)
    return await _change(
        call, lambda vm, vmi: power.decide_start(vm, vmi, bool(options.paused)), is_dry_run(options.dry_run)
    )


async def stop(call: Call) -> Reply:
    options = read_options(call.body, StopOptions)
    return await _change(
        call, lambda vm, vmi: power.decide_stop(vm, vmi, options.grace_period), is_dry_run(options.dry_run)
    )


async def restart(call: Call) -> Reply:
    options = read_options(call.body, RestartOptions)
    return await _change(
        call,
        lambda vm, vmi: power.decide_restart(vm, vmi, options.grace_period_seconds),
        is_dry_run(options.dry_run),
    )


async def migrate(call: Call) -> Reply:
    """Refused with its reason: there is nowhere to go yet."""
    await require_vm(call)
    vmi = await call.context.client.get(kinds.VMI, call.match.name, call.match.namespace)
    if vmi is None:
        raise Conflict("the virtual machine is not running")
    nodes = [node for node in call.context.caches.nodes.all() if not (node.spec and node.spec.unschedulable)]
    checks.check_migrate(vmi, len(nodes))
    raise not_built("migrate")


async def _change(call: Call, decide: Decision, dry_run: bool) -> Reply:
    for attempt in range(1, _TRIES + 1):
        vm = await require_vm(call)
        vmi = await call.context.client.get(kinds.VMI, call.match.name, call.match.namespace)
        patches = decide(vm, vmi)
        try:
            await _apply(call, vm, vmi, patches, dry_run)
        except Conflict:
            if attempt == _TRIES:
                raise
        else:
            break
    return ACCEPTED


async def _apply(
    call: Call, vm: VirtualMachine, vmi: VirtualMachineInstance | None, patches: power.Patches, dry_run: bool
) -> None:
    client, match = call.context.client, call.match
    if patches.vmi is not None and vmi is not None:
        patch = _locked(patches.vmi, vmi.metadata.resource_version)
        await client.merge_patch(kinds.VMI, match.name, match.namespace, patch, dry_run=dry_run)
    try:
        for fields, subresource in ((patches.vm, None), (patches.vm_status, "status")):
            if fields is not None:
                patch = _locked(fields, vm.metadata.resource_version)
                await client.merge_patch(
                    kinds.VM, match.name, match.namespace, patch, subresource, dry_run=dry_run
                )
    except VirtdeckError:
        if patches.vmi is not None and vmi is not None and not dry_run:
            former = power.grace_fields(vmi.spec.termination_grace_period_seconds)
            await client.merge_patch(kinds.VMI, match.name, match.namespace, former)
        raise


def _locked(fields: power.Fields, resource_version: str) -> dict[str, Any]:
    return {"metadata": {"resourceVersion": resource_version}, **fields}
