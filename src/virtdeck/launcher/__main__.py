"""Starts libvirt's daemon before anything else is loaded, then the launcher beside it."""

import os
import sys

# asyncio takes its absence well; loading OpenSSL would cost every VM 4 MB and 10 ms.
sys.modules["ssl"] = None  # type: ignore[assignment]

from virtdeck.launcher.hypervisor.daemon import DaemonPaths, start_daemon  # noqa: E402 - after ssl is out

WARM_CACHE = "/run/kubevirt-capabilities"


def main(arguments: list[str]) -> int:
    """The exit code of the container. arguments: --name N --namespace N --uid U [--root DIR]."""
    os.umask(0o077)
    options = dict(zip(arguments[::2], arguments[1::2], strict=True))
    root = options.get("--root", "")
    paths = DaemonPaths(f"{root}/run/libvirt")
    with open("/proc/sys/kernel/random/uuid") as file:  # noqa: PTH123 - pathlib is not loaded yet
        host_uuid = file.read().strip()
    warm_cache = os.environ.get("VIRTDECK_CAPS_CACHE", f"{root}{WARM_CACHE}")
    pid = start_daemon(paths, host_uuid, warm_cache)

    from virtdeck.launcher.main import run  # the daemon starts while this is loaded
    from virtdeck.launcher.settings import Settings

    settings = Settings(
        name=options["--name"], namespace=options["--namespace"], uid=options["--uid"], root=root
    )
    return run(settings, pid, paths.socket)


sys.exit(main(sys.argv[1:]))
