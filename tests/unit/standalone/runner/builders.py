"""Pods and nodes as tests need them; values only."""

from typing import Any

from virtdeck.crds.codec import decode
from virtdeck.crds.core.node import Node
from virtdeck.crds.core.pod import Pod

IMAGE = "virtdeck/launcher:0.1.0"


def a_pod(spec: dict[str, Any] | None = None, status: dict[str, Any] | None = None, **container: Any) -> Pod:
    """A launcher pod with some of its fields changed."""
    compute = {
        "name": "compute",
        "image": IMAGE,
        "args": ["--name", "n"],
        "securityContext": {"runAsUser": 107, "runAsGroup": 108, "capabilities": {"drop": ["ALL"]}},
    } | container
    whole = {"restartPolicy": "Never", "containers": [compute]} | (spec or {})
    meta = {"name": "p", "namespace": "ns", "uid": "u1"}
    return decode({"metadata": meta, "spec": whole, "status": status or {}}, Pod)


def a_node(
    allocatable: dict[str, str] | None = None, labels: dict[str, str] | None = None, **spec: Any
) -> Node:
    """A node with four processors, 8 GiB and room for ten pods."""
    room = {"cpu": "4", "memory": "8Gi", "pods": "10"} | (allocatable or {})
    return decode(
        {"metadata": {"name": "n1", "labels": labels or {}}, "spec": spec, "status": {"allocatable": room}},
        Node,
    )
