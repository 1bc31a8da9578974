"""Which version of a group Kubernetes prefers."""

import re

_KUBE_VERSION = re.compile(r"^v(\d+)(?:(alpha|beta)(\d+))?$")


def version_rank(version: str) -> tuple[int, int, int, int, str]:
    """Sorts versions as Kubernetes prefers them: stable before beta before alpha, newer first."""
    found = _KUBE_VERSION.match(version)
    if not found:
        return (1, 0, 0, 0, version)
    stage = {None: 0, "beta": 1, "alpha": 2}[found[2]]
    return (0, stage, -int(found[1]), -int(found[3] or 0), version)
