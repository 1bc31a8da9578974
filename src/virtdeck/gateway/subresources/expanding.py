"""Machines with their instance type and preference applied: what would run, to look at or to keep.

Source: KubeVirt's ``expand-spec`` and ``expand-vm-spec``.
"""

from typing import Any

import msgspec
import orjson

from virtdeck.basis.errors import Conflict, Invalid
from virtdeck.crds import kinds
from virtdeck.crds.codec import decode
from virtdeck.crds.kubevirt.vm import VirtualMachine
from virtdeck.gateway.admission.defaults.vmi import complete_template
from virtdeck.gateway.installed import installed_cluster
from virtdeck.gateway.subresources.calls import Call, Reply
from virtdeck.instancetype.expansion import expand
from virtdeck.kube.objects import raw


async def expand_spec(call: Call) -> Reply:
    """The stored machine, expanded. Raises: Absent; Conflict when what it names is not there."""
    vm: dict[str, Any] = await call.context.client.require(
        raw(kinds.VM), call.match.name, call.match.namespace
    )
    return Reply(200, orjson.dumps(await _expanded(call, vm)))


async def expand_given(call: Call) -> Reply:
    """The machine in the body, expanded, if it is one of this namespace. Raises: Invalid."""
    vm = decode(call.body, VirtualMachine)
    if vm.metadata.namespace not in ("", call.match.namespace):
        raise Invalid(
            f"the virtual machine is of namespace {vm.metadata.namespace}, the request is for"
            f" {call.match.namespace}",
            reason="BadRequest",
        )
    given: dict[str, Any] = msgspec.json.decode(call.body)
    try:
        return Reply(200, orjson.dumps(await _expanded(call, given)))
    except (Conflict, Invalid) as fault:
        causes = fault.causes if isinstance(fault, Invalid) else ()
        raise Invalid(fault.message, reason="BadRequest", causes=causes) from fault


async def _expanded(call: Call, vm: dict[str, Any]) -> dict[str, Any]:
    """The machine without matchers, which it needs no more. Raises: Conflict; Invalid with each conflict."""
    typed = decode(vm, VirtualMachine)
    if typed.spec.instancetype is None and typed.spec.preference is None:
        return vm
    choice = await call.context.instancetypes.choose(typed, call.match.namespace)
    if choice.missing or choice.kept:
        strange = (f"the revision named keeps {name}" for name in choice.kept.values())
        raise Conflict("; ".join((*choice.missing.values(), *strange)))
    cluster = installed_cluster(call.context.caches, call.context.settings.namespace)
    template = expand(vm["spec"]["template"], choice.chosen, cluster.default_interface)
    spec = {key: value for key, value in vm["spec"].items() if key not in ("instancetype", "preference")}
    complete_template(template, cluster)
    return vm | {"spec": spec | {"template": template}}
