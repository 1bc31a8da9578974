"""What virt-handler does for a running instance, after virt-api has checked that it may be done."""

from collections.abc import Callable

from virtdeck.crds import kinds
from virtdeck.crds.kubevirt.options import PauseOptions
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.gateway.subresources import checks
from virtdeck.gateway.subresources.calls import DONE, Call, Reply, ask_handler, require_vmi
from virtdeck.gateway.subresources.options import is_dry_run, read_options

Check = Callable[[VirtualMachineInstance], None]


async def pause(call: Call) -> Reply:
    return await _switch(call, checks.check_pause, paused=False)


async def unpause(call: Call) -> Reply:
    vm = await call.context.client.get(kinds.VM, call.match.name, call.match.namespace)
    return await _switch(call, lambda vmi: checks.check_unpause(vmi, vm), paused=True)


async def freeze(call: Call) -> Reply:
    return await _tell(call, checks.require_running)


async def unfreeze(call: Call) -> Reply:
    return await _tell(call, checks.require_running)


async def reset(call: Call) -> Reply:
    return await _tell(call, checks.require_running)


async def softreboot(call: Call) -> Reply:
    return await _tell(call, checks.check_softreboot)


async def sendkeys(call: Call) -> Reply:
    return await _tell(call, checks.require_running)


async def guest_report(call: Call) -> Reply:
    """guestosinfo, userlist, filesystemlist: as the agent says them now."""
    return await _read(call, checks.check_agent)


async def sessions(call: Call) -> Reply:
    return await _read(call, checks.require_running)


async def screenshot(call: Call) -> Reply:
    return await _read(call, checks.check_screen)


async def _switch(call: Call, check: Check, *, paused: bool) -> Reply:
    """paused: what the guest must be before."""
    if not is_dry_run(read_options(call.body, PauseOptions).dry_run):
        return await _tell(call, check)
    vmi = await require_vmi(call)
    check(vmi)
    checks.foresee_paused(vmi, paused)
    return DONE


async def _tell(call: Call, check: Check) -> Reply:
    vmi = await require_vmi(call)
    check(vmi)
    await ask_handler(call, vmi, "PUT", call.body)
    return DONE


async def _read(call: Call, check: Check) -> Reply:
    vmi = await require_vmi(call)
    check(vmi)
    answer = await ask_handler(call, vmi, "GET")
    return Reply(200, answer.body, answer.content_type)
