"""A pod's volumes as folders, laid as a kubelet lays them, and taken away again."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from virtdeck.basis.errors import HostFault, Invalid
from virtdeck.crds.core.pod_volumes import KeyToPath, PodVolume
from virtdeck.crds.quantity import parse_bytes
from virtdeck.safety.paths import Directory, UnsafePath, open_trusted
from virtdeck.standalone.runner.launch import Launch
from virtdeck.standalone.runner.mounts import bind_read_only, mount_memory, mounts_below, unmount

_SECRET_BYTES = 2 << 20  # Kubernetes allows 1 MiB in a secret
_MEMORY_BYTES = 64 << 20


@dataclass(frozen=True)
class Sources:
    """What the volumes are filled with. entries: content of secrets and config maps, by volume name.

    images: folder of an image's files, by volume name.
    """

    entries: Mapping[str, Mapping[str, bytes]]
    images: Mapping[str, str]


def lay_volumes(pods: Path, uid: str, launch: Launch, sources: Sources) -> dict[str, str]:
    """Every volume has its folder, filled; the answer has their paths by name. Repeating it is harmless.

    Raises: HostFault, Invalid.
    """
    pods.mkdir(mode=0o750, parents=True, exist_ok=True)
    paths = {}
    with (
        open_trusted(pods) as root,
        root.make_directory(uid) as pod,
        pod.make_directory("volumes") as volumes,
    ):
        for volume in launch.volumes:
            kind = kind_of(volume)
            with volumes.make_directory(kind, 0o755) as group:
                paths[volume.name] = f"{pods}/{uid}/volumes/{kind}/{volume.name}"
                _lay(group, volume, launch, sources, paths[volume.name])
    return paths


def remove_volumes(pods: Path, uid: str) -> None:
    """Nothing is mounted below the pod's folder and it is gone. Raises: HostFault."""
    folder = pods / uid
    if not folder.exists():
        return
    for point in mounts_below(str(folder)):
        unmount(point)
    if left := mounts_below(str(folder)):  # what is behind a mount is not ours to delete
        raise HostFault(f"{left[0]} cannot be unmounted; the pod's folder stays")
    with open_trusted(pods) as root:
        root.remove_tree(uid)


def kind_of(volume: PodVolume) -> str:
    """The name of the folder that a kubelet keeps such volumes in. Raises: Invalid."""
    for name, kind in (
        ("empty_dir", "kubernetes.io~empty-dir"),
        ("secret", "kubernetes.io~secret"),
        ("config_map", "kubernetes.io~configmap"),
        ("image", "kubernetes.io~image"),
    ):
        if getattr(volume, name) is not None:
            return kind
    raise Invalid(f"the volume {volume.name} is of a kind that is not supported")


def _lay(group: Directory, volume: PodVolume, launch: Launch, sources: Sources, path: str) -> None:
    owner = (launch.uid, launch.gid)
    mounted = path in mounts_below(path)
    if volume.empty_dir is not None:
        with group.make_directory(volume.name, 0o700, owner):
            if volume.empty_dir.medium == "Memory" and not mounted:
                limit = volume.empty_dir.size_limit
                mount_memory(path, parse_bytes(limit) if limit else _MEMORY_BYTES, 0o700, owner)
    elif volume.image is not None:
        with group.make_directory(volume.name, 0o755):
            if not mounted:
                bind_read_only(sources.images[volume.name], path)
    else:
        with group.make_directory(volume.name, 0o755):
            if not mounted:  # in memory: a secret never reaches the disk
                mount_memory(path, _SECRET_BYTES, 0o750, (0, launch.gid))
        with group.directory(volume.name) as folder:
            _fill(folder, volume, sources.entries[volume.name], launch.gid)


def _fill(folder: Directory, volume: PodVolume, entries: Mapping[str, bytes], gid: int) -> None:
    source = volume.secret or volume.config_map
    items = source.items if source is not None else None
    if items is None:
        items = tuple(KeyToPath(key=key, path=key) for key in entries)
    for item in items:
        if item.key not in entries:
            if source is not None and source.optional:
                continue
            raise Invalid(f"the volume {volume.name} wants the key {item.key}, which is not there")
        _place(folder, item.path, entries[item.key], gid)


def _place(folder: Directory, path: str, data: bytes, gid: int) -> None:
    *folders, name = path.split("/")
    here = Directory(os.dup(folder.fd))
    try:
        for part in folders:
            below = here.make_directory(part, 0o750, (0, gid))
            here.close()
            here = below
        here.write_bytes(name, data, 0o440, (0, gid))
    except UnsafePath as fault:
        raise Invalid(f"{path!r} is no path inside a volume") from fault
    finally:
        here.close()
