"""Who wrote what to the API between two moments, from watches of the objects themselves."""

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from e2e.product import Product


@dataclass
class Writes:
    """Versions of a VMI and its pod that the store went through."""

    vmi: list[str] = field(default_factory=list)
    pods: list[str] = field(default_factory=list)


@contextmanager
def watched_writes(product: Product, name: str) -> Iterator[Writes]:
    """Within the block every stored version of the VMI and of launcher pods is noted; read after the block."""
    found = Writes()
    watches = [
        (_watch(product, "vmi", f"metadata.name={name}"), found.vmi),
        (_watch(product, "pods", ""), found.pods),
    ]
    yield found
    for process, versions in watches:
        process.terminate()
        text, _ = process.communicate()
        decoder, position = json.JSONDecoder(), 0
        while position < len(text.rstrip()):
            obj, position = decoder.raw_decode(text, position)
            position += len(text[position:]) - len(text[position:].lstrip())
            versions.append(f"{obj['metadata']['resourceVersion']} {obj.get('status', {}).get('phase', '')}")


def _watch(product: Product, kind: str, field_selector: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        ["kubectl", "--kubeconfig", product.kubeconfig, "get", kind, "--watch", "-o", "json"]
        + ([f"--field-selector={field_selector}"] if field_selector else []),
        stdout=subprocess.PIPE,
        text=True,
    )
