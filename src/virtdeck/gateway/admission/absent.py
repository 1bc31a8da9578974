"""Rules of KubeVirt that cannot apply here, and why."""

ABSENT: dict[str, str] = {}
