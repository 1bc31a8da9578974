"""Puts the demo images into the store."""

import hashlib
from collections.abc import Callable
from pathlib import Path

from virtdeck.standalone.images.demo.build import Progress, build_disk_image, build_kernel_image
from virtdeck.standalone.images.records import ImageRecord
from virtdeck.standalone.images.store import ImageStore

DEMO = "virtdeck/demo:latest"
DEMO_KERNEL = "virtdeck/demo-kernel:latest"
_SOURCE = "built from Debian packages"
_BUILDERS: dict[str, Callable[[Path, Path, Progress], None]] = {
    DEMO_KERNEL: build_kernel_image,
    DEMO: build_disk_image,
}


def build_demo(store: ImageStore, say: Progress, *, missing_only: bool = False) -> list[ImageRecord]:
    """The store has both demo images, made of the newest packages that apt knows.

    missing_only: what is in the store already is not built again. Raises: HostFault.
    """
    built = []
    for name, build in _BUILDERS.items():
        if missing_only and store.find(name) is not None:
            continue
        with store.workplace() as work:
            tree = work / "tree"
            tree.mkdir()
            build(store.root / "packages", tree, lambda text, name=name: say(f"{name}: {text}"))  # type: ignore[misc]
            built.append(store.add(name, _seal(tree), tree, _SOURCE, local=True))
    return built


def _seal(tree: Path) -> str:
    """Every file is read-only; the answer is a digest of names and content."""
    digest = hashlib.sha256()
    for path in sorted(tree.rglob("*")):
        digest.update(f"{path.relative_to(tree)}\0".encode())
        if path.is_file():
            path.chmod(0o444)
            with path.open("rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
        else:
            path.chmod(0o755)
    return f"sha256:{digest.hexdigest()}"
