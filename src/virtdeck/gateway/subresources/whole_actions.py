"""What is about specs or the whole installation, and what is not offered."""

from typing import Any

import orjson

from virtdeck import __version__
from virtdeck.basis.errors import Invalid, VirtdeckError
from virtdeck.crds import kinds
from virtdeck.crds.codec import decode
from virtdeck.crds.kubevirt.vm import VirtualMachine
from virtdeck.gateway.health import health_problem
from virtdeck.gateway.subresources.calls import Call, Reply, not_built
from virtdeck.kube.objects import raw


async def expand_spec(call: Call) -> Reply:
    """The VM as it is: without instance type and preference nothing is to be expanded."""
    vm: dict[str, Any] = await call.context.client.require(
        raw(kinds.VM), call.match.name, call.match.namespace
    )
    _refuse_instancetype(decode(vm, VirtualMachine))
    return Reply(200, orjson.dumps(vm))


async def expand_given(call: Call) -> Reply:
    """The VM in the body, if it is one of this namespace."""
    vm = decode(call.body, VirtualMachine)
    if vm.metadata.namespace not in ("", call.match.namespace):
        raise Invalid(
            f"the virtual machine is of namespace {vm.metadata.namespace}, the request is for"
            f" {call.match.namespace}",
            reason="BadRequest",
        )
    _refuse_instancetype(vm)
    return Reply(200, call.body)


async def version(_: Call) -> Reply:
    answer = {
        "gitVersion": f"v{__version__}",
        "gitCommit": "",
        "gitTreeState": "",
        "buildDate": "",
        "goVersion": "",
        "compiler": "cpython",
        "platform": "linux/amd64",
    }
    return Reply(200, orjson.dumps(answer))


async def guestfs(_: Call) -> Reply:
    """No image is built for ``virtctl guestfs``: the user names one with --image."""
    return Reply(
        200, orjson.dumps({"registry": "", "tag": "", "digest": "", "imagePrefix": "", "gsImage": ""})
    )


async def healthz(call: Call) -> Reply:
    problem = health_problem(call.context)
    answer = {"apiserver": {"connectivity": "failed" if problem else "ok", "error": problem}}
    return Reply(503 if problem else 200, orjson.dumps(answer))


async def hotplug(_: Call) -> Reply:
    raise Invalid(
        "unable to plug: neither HotplugVolumes nor DeclarativeHotplugVolumes is enabled", reason="BadRequest"
    )


async def object_graph(_: Call) -> Reply:
    raise Invalid("the feature gate ObjectGraph is not enabled", reason="BadRequest")


async def sev(_: Call) -> Reply:
    raise Invalid("the feature gate WorkloadEncryptionSEV is not enabled", reason="BadRequest")


async def profiler(_: Call) -> Reply:
    raise VirtdeckError("the cluster profiler is not enabled", reason="Forbidden")


async def unbuilt(call: Call) -> Reply:
    raise not_built(call.match.route.sub.name)


def _refuse_instancetype(vm: VirtualMachine) -> None:
    if vm.spec.instancetype is not None or vm.spec.preference is not None:
        raise not_built("expanding instance types and preferences")
