"""Rules of KubeVirt that cannot apply here, and why."""

_TYPE = "The type requires it: the API server refuses an object without it, and decoding does as well."

ABSENT: dict[str, str] = {
    "V49": "The feature gate NUMA is generally available, so that it is always on.",
    "V252": _TYPE,
    "D42": "The launcher pod is rendered whole by virt-controller; containerPath volumes are refused.",
    "V324": _TYPE,
    "V362": _TYPE,
    "V413": "There is no evaluator that could fail to be made.",
}
