"""/version, and the health paths with their checks one by one."""

import platform
import sys

from virtdeck import __version__
from virtdeck.standalone.apiserver.problems import no_such_path
from virtdeck.standalone.apiserver.requests.call import Call, Reply
from virtdeck.standalone.apiserver.service import Service

HEALTH_PATHS = ("healthz", "livez", "readyz")
# What clients compare with their own version: the API's generation that is served here.
_MAJOR, _MINOR = "1", "32"
_TEXT = "text/plain; charset=utf-8"


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


def checks(service: Service) -> dict[str, bool]:
    """What is looked at, and whether it is well."""
    roles = service.store.shelf("rbac.authorization.k8s.io/clusterroles")
    return {
        "ping": True,
        "log": True,
        "etcd": service.store.is_writable,
        "poststarthook/rbac/bootstrap-roles": roles.get(("", "cluster-admin")) is not None,
    }


def health(call: Call, service: Service) -> Reply:
    """``ok``, or what is not well; ``?verbose`` lists every check, a path below asks for one alone.

    Raises: StatusError 404 for a check that is not there.
    """
    path, _, one = call.target.path.strip("/").partition("/")
    found = checks(service)
    if one:
        if one not in found:
            raise no_such_path()
        found = {one: found[one]}
    excluded = set(call.query.get("exclude", ()))
    found = {name: well for name, well in found.items() if name not in excluded}
    well = all(found.values())
    if well and "verbose" not in call.query:
        return Reply(b"ok", content_type=_TEXT)
    lines = [
        f"[+]{name} ok" if fine else f"[-]{name} failed: reason withheld" for name, fine in found.items()
    ]
    lines.append(f"{path} check {'passed' if well else 'failed'}")
    return Reply("\n".join([*lines, ""]).encode(), 200 if well else 500, _TEXT)
