"""A pod's volumes as folders, laid as a kubelet lays them, and taken away again."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from virtdeck.basis.errors import HostFault, Invalid
from virtdeck.crds.core.pod_volumes import PodVolume
from virtdeck.crds.quantity import parse_bytes
from virtdeck.safety.paths import Directory, UnsafePath, open_trusted
from virtdeck.standalone.runner.launch import Launch
from virtdeck.standalone.runner.mounts import bind_read_only, mount_memory, mounts_below, unmount

_FILES_BYTES = 64 << 20  # a limit, no reservation: 1 MiB of content may be thousands of files of a page each
_MEMORY_BYTES = 64 << 20


@dataclass(frozen=True)
class Sources:
    """What the volumes are filled with, by volume name.

    files: content by path, of what Kubernetes objects fill. images: folder of an image's files.
    """

    files: Mapping[str, Mapping[str, bytes]]
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
        ("downward_api", "kubernetes.io~downward-api"),
        ("projected", "kubernetes.io~projected"),
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
                mount_memory(path, _FILES_BYTES, 0o750, (0, launch.gid))
        with group.directory(volume.name) as folder:
            files = sources.files[volume.name]
            for name in {*folder.names()} - {path.partition("/")[0] for path in files}:
                folder.remove_tree(name)  # of an attempt before
            for place, data in files.items():
                _place(folder, place, data, launch.gid)


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
