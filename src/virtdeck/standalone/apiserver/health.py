"""/version, health paths and /metrics."""

import os
import platform
import resource
import sys

from virtdeck import __version__
from virtdeck.standalone.apiserver.requests.call import Reply
from virtdeck.standalone.apiserver.service import Service

HEALTH_PATHS = ("/healthz", "/readyz", "/livez")
# What clients compare with their own version: the API's generation that is served here.
_MAJOR, _MINOR = "1", "32"


def version() -> dict[str, str]:
    """What /version answers."""
    return {
        "major": _MAJOR,
        "minor": _MINOR,
        "gitVersion": f"v{_MAJOR}.{_MINOR}.0+virtdeck-{__version__}",
        "gitCommit": "",
        "gitTreeState": "clean",
        "buildDate": "1970-01-01T00:00:00Z",
        "goVersion": "none",
        "compiler": f"cpython {platform.python_version()}",
        "platform": f"{sys.platform}/{platform.machine()}",
    }


def metrics(service: Service) -> Reply:
    """Prometheus' text form: objects by resource, the revision, the process."""
    lines = ["# TYPE apiserver_storage_objects gauge"]
    lines += [
        f'apiserver_storage_objects{{resource="{shelf.resource.lstrip("/")}"}} {len(shelf.rows)}'
        for shelf in service.store.shelves()
    ]
    usage = resource.getrusage(resource.RUSAGE_SELF)
    lines += [
        "# TYPE virtdeck_store_revision counter",
        f"virtdeck_store_revision {service.store.revision}",
        "# TYPE process_cpu_seconds_total counter",
        f"process_cpu_seconds_total {usage.ru_utime + usage.ru_stime:.3f}",
        "# TYPE process_open_fds gauge",
        f"process_open_fds {len(os.listdir('/proc/self/fd'))}",  # noqa: PTH208
    ]
    return Reply("\n".join([*lines, ""]).encode(), content_type="text/plain; version=0.0.4")
