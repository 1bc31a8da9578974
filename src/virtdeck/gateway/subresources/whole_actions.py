"""What is about the whole installation, and what is not offered."""

import orjson

from virtdeck import __version__
from virtdeck.basis.errors import Invalid, VirtdeckError
from virtdeck.gateway.health import health_problem
from virtdeck.gateway.subresources.calls import Call, Reply


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


async def backup(_: Call) -> Reply:
    raise Invalid("the feature gate IncrementalBackup is not enabled", reason="BadRequest")
