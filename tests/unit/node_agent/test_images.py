"""Disks and kernels in image volumes: what may be opened, and what is refused by name."""

import os
from pathlib import Path
from typing import Any

import pytest
from tests.unit.node_agent.builders import POD_UID, vmi

from virtdeck.basis.errors import Invalid, Unready
from virtdeck.node_agent.launchers.folders import PodFolders
from virtdeck.node_agent.vmi.images import PodImages, inspect_images

CANARY = b"root:x:0:0:canary"


@pytest.fixture
def volumes(tmp_path: Path) -> Path:
    folder = tmp_path / "pods" / POD_UID / "volumes" / "kubernetes.io~image"
    (folder / "root" / "disk").mkdir(parents=True)
    (folder / "kernel-boot" / "boot").mkdir(parents=True)
    (tmp_path / "canary").write_bytes(CANARY * 100)
    return folder


def inspect(tmp_path: Path, path: str | None = None, **boot: str) -> PodImages:
    disk: dict[str, Any] = {"image": "demo"} | ({"path": path} if path else {})
    spec: dict[str, Any] = {"volumes": [{"name": "root", "containerDisk": disk}]}
    if boot:
        firmware = {"kernelBoot": {"container": {"image": "k", **boot}}}
        spec["domain"] = {"devices": {}, "firmware": firmware}
        spec["volumes"] = []
    return inspect_images(PodFolders(str(tmp_path)), POD_UID, vmi(spec=spec))


def refusal(tmp_path: Path, path: str | None = None, **boot: str) -> str:
    with pytest.raises(Invalid) as caught:
        inspect(tmp_path, path, **boot)
    return caught.value.reason


def test_the_one_file_in_disk_is_the_disk(tmp_path: Path, volumes: Path) -> None:
    (volumes / "root" / "disk" / "demo.img").write_bytes(bytes(4096))
    facts = inspect(tmp_path).disks["root"]
    assert (facts.path, facts.format, facts.virtual_size) == (
        "/run/kubevirt/container-disks/root/disk/demo.img", "raw", 4096,
    )  # fmt: skip


def test_the_disks_path_can_be_named(tmp_path: Path, volumes: Path) -> None:
    (volumes / "root" / "other.img").write_bytes(bytes(512))
    assert inspect(tmp_path, "/other.img").disks["root"].path.endswith("/root/other.img")


@pytest.mark.parametrize("names", [[], ["a", "b"]])
def test_no_disk_or_several_is_an_invalid_image(tmp_path: Path, volumes: Path, names: list[str]) -> None:
    for name in names:
        (volumes / "root" / "disk" / name).write_bytes(bytes(512))
    assert refusal(tmp_path) == "InvalidImage"


def test_an_image_without_disk_folder_is_invalid(tmp_path: Path, volumes: Path) -> None:
    (volumes / "root" / "disk").rmdir()
    assert refusal(tmp_path) == "InvalidImage"


@pytest.mark.parametrize("content", [b"", b"KDMV" + bytes(600), b"QFI\xfb" + bytes(10)])
def test_what_is_no_disk_of_ours_is_an_invalid_image(tmp_path: Path, volumes: Path, content: bytes) -> None:
    (volumes / "root" / "disk" / "x").write_bytes(content)
    assert refusal(tmp_path) == "InvalidImage"


@pytest.mark.parametrize(
    "path",
    ["/../../etc/shadow", "../canary", "/a/./../../..", "//", "/disk/..", "/disk/\0x", "/proc/1/root/x"],
)
def test_a_path_that_leads_astray_opens_nothing(tmp_path: Path, volumes: Path, path: str) -> None:
    assert refusal(tmp_path, path) in {"UnsafeDiskPath", "InvalidImage"}


@pytest.mark.parametrize("kind", ["absolute", "relative", "chain", "folder"])
def test_a_link_in_the_image_is_not_followed(tmp_path: Path, volumes: Path, kind: str) -> None:
    disk = volumes / "root" / "disk"
    match kind:
        case "absolute":
            (disk / "x").symlink_to(tmp_path / "canary")
        case "relative":
            (disk / "x").symlink_to(os.path.relpath(tmp_path / "canary", disk))
        case "chain":
            for number in range(41):
                (volumes / f"l{number}").symlink_to(volumes / f"l{number + 1}")
            (disk / "x").symlink_to(volumes / "l0")
        case _:
            disk.rmdir()
            disk.symlink_to(tmp_path)
    assert refusal(tmp_path) == "UnsafeDiskPath"


@pytest.mark.parametrize("kind", ["pipe", "folder"])
def test_only_a_regular_file_is_a_disk(tmp_path: Path, volumes: Path, kind: str) -> None:
    place = volumes / "root" / "disk" / "x"
    if kind == "pipe":
        os.mkfifo(place)
    else:
        place.mkdir()
    assert refusal(tmp_path) == "UnsafeDiskPath"


def test_a_volume_that_is_not_mounted_yet_may_come(tmp_path: Path) -> None:
    (tmp_path / "pods").mkdir()
    with pytest.raises(Unready):
        inspect(tmp_path)


def test_kernel_and_initrd_are_files_of_the_image(tmp_path: Path, volumes: Path) -> None:
    for name in ("vmlinuz", "initrd"):
        (volumes / "kernel-boot" / "boot" / name).touch()
    images = inspect(tmp_path, kernelPath="/boot/vmlinuz", initrdPath="/boot/initrd")
    assert images.kernel == "/run/kubevirt/kernel-boot/boot/vmlinuz"
    assert images.initrd == "/run/kubevirt/kernel-boot/boot/initrd"


def test_a_kernel_that_is_a_link_is_unsafe_and_one_that_is_missing_invalid(
    tmp_path: Path, volumes: Path
) -> None:
    (volumes / "kernel-boot" / "boot" / "vmlinuz").symlink_to("/etc/passwd")
    assert refusal(tmp_path, kernelPath="/boot/vmlinuz") == "UnsafeDiskPath"
    assert refusal(tmp_path, kernelPath="/boot/other") == "InvalidImage"


def test_a_uid_that_is_a_path_opens_nothing(tmp_path: Path) -> None:
    with pytest.raises(Invalid):
        PodFolders(str(tmp_path)).open_image("../..", "root")
