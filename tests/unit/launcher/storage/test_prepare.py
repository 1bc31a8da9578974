"""The files of a plan, made by the real tools."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from virtdeck.basis.errors import Absent, HostFault, Invalid
from virtdeck.launcher.children import Children
from virtdeck.launcher.storage.plan import (
    MakeEmptyDisk,
    MakeFilesDisk,
    MakeOverlay,
    MakeSeed,
    Step,
    StoragePlan,
)
from virtdeck.launcher.storage.prepare import prepare
from virtdeck.launcher.storage.seed import Content, MetaData, SecretRef, Seed

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(
        not (shutil.which("qemu-img") and shutil.which("xorrisofs")), reason="needs qemu-img and xorrisofs"
    ),
]


async def make(*steps: Step) -> None:
    children = Children()
    children.watch()
    await prepare(StoragePlan(steps=steps, disks={}), children)


def described(path: Path) -> str:
    return subprocess.run(
        ["qemu-img", "info", "-f", "qcow2", str(path)], capture_output=True, text=True, check=True
    ).stdout


def names_in(folder: Path) -> list[str]:
    return sorted(item.name for item in folder.iterdir())


def extract(image: Path, target: Path) -> str:
    arguments = ["xorriso", "-osirrox", "on", "-indev", str(image), "-extract", "/", str(target)]
    return subprocess.run(arguments, capture_output=True, text=True, check=True).stderr


async def test_overlays_and_empty_disks_have_their_size_and_backing(tmp_path: Path) -> None:
    await make(
        MakeOverlay(
            path=str(tmp_path / "o.qcow2"), backing="/nowhere/image", backing_format="raw", size=1 << 20
        ),
        MakeEmptyDisk(path=str(tmp_path / "e.qcow2"), size=2 << 20),
    )
    overlay, empty = described(tmp_path / "o.qcow2"), described(tmp_path / "e.qcow2")
    assert "backing file: /nowhere/image" in overlay
    assert "backing file format: raw" in overlay
    assert "1 MiB" in overlay
    assert "2 MiB" in empty


async def test_a_seed_holds_its_files_and_leaves_nothing_beside(tmp_path: Path) -> None:
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret/userData").write_bytes(b"from a secret")
    files: dict[str, Content] = {
        "meta-data": b"{}",
        "user-data": SecretRef(str(tmp_path / "secret"), ("userdata", "userData")),
        "openstack/latest/x": b"deep",
    }
    path = tmp_path / "seed.iso"
    await make(MakeSeed(path=str(path), seed=Seed(label="cidata", files=files)))
    assert names_in(tmp_path) == ["secret", "seed.iso"]
    assert "cidata" in extract(path, tmp_path / "out")
    assert (tmp_path / "out/user-data").read_bytes() == b"from a secret"
    assert (tmp_path / "out/openstack/latest/x").read_bytes() == b"deep"


async def test_a_missing_secret_is_named(tmp_path: Path) -> None:
    secret = SecretRef("/no/seed-udata", ("k",))
    step = MakeSeed(path=str(tmp_path / "s"), seed=Seed(label="x", files={"a": secret}))
    with pytest.raises(Absent, match="the volume seed has none of the keys k"):
        await make(step)


async def test_a_tool_that_fails_says_why(tmp_path: Path) -> None:
    with pytest.raises(HostFault, match="qemu-img failed"):
        await make(MakeEmptyDisk(path=str(tmp_path / "no/folder/x"), size=1))


@pytest.mark.parametrize("length", [1, 5000, 70_001])
async def test_a_seed_ends_at_a_whole_block_of_the_largest_disks(tmp_path: Path, length: int) -> None:
    """Direct I/O on a host with 4 KiB blocks opens nothing else."""
    seed = Seed(label="cidata", files={"user-data": b"x" * length})
    await make(MakeSeed(path=str(tmp_path / "seed.iso"), seed=seed))
    assert (tmp_path / "seed.iso").stat().st_size % 4096 == 0


def files_disk(tmp_path: Path, one_of: tuple[str, ...] = ()) -> MakeFilesDisk:
    return MakeFilesDisk(
        path=str(tmp_path / "a.iso"),
        label="cfgdata",
        volume="a",
        folder=str(tmp_path / "mount"),
        one_of=one_of,
    )


async def test_a_disk_of_files_holds_what_is_mounted_whatever_the_names_look_like(tmp_path: Path) -> None:
    current = tmp_path / "mount/..2026_01"
    (current / "deep").mkdir(parents=True)
    names = ("-output", "--help", "a=b", "deep/x", "space in it", "back\\slash", "/".join(("deep", "-rf")))
    for name in names:
        (current / name).write_text(name)
    (tmp_path / "mount/..data").symlink_to("..2026_01")
    await make(files_disk(tmp_path))
    assert names_in(tmp_path) == ["a.iso", "mount"]
    assert "cfgdata" in extract(tmp_path / "a.iso", tmp_path / "out")
    found = {
        str(path.relative_to(tmp_path / "out")) for path in (tmp_path / "out").rglob("*") if path.is_file()
    }
    assert found == {*names}
    for name in names:
        assert (tmp_path / "out" / name).read_text() == name
        assert (tmp_path / "out" / name).stat().st_mode & 0o777 == 0o444


async def test_an_empty_mount_becomes_an_empty_disk(tmp_path: Path) -> None:
    (tmp_path / "mount").mkdir()
    await make(files_disk(tmp_path))
    assert (tmp_path / "a.iso").stat().st_size % 4096 == 0


async def test_files_that_lead_elsewhere_are_refused_with_their_volume(tmp_path: Path) -> None:
    (tmp_path / "mount").mkdir()
    (tmp_path / "mount/shadow").symlink_to("/etc/passwd")
    with pytest.raises(Invalid, match="volume a: 'shadow' is a symbolic link"):
        await make(files_disk(tmp_path))


async def test_answers_for_a_setup_must_be_there_under_one_of_their_names(tmp_path: Path) -> None:
    (tmp_path / "mount").mkdir()
    (tmp_path / "mount/other.xml").write_text("x")
    step = files_disk(tmp_path, ("autounattend.xml", "unattend.xml"))
    with pytest.raises(Invalid, match=r"volume a: has none of the keys autounattend.xml, unattend.xml"):
        await make(step)
    (tmp_path / "mount/Autounattend.xml").write_text("x")
    await make(step)


async def test_meta_data_has_the_keys_of_every_mounted_secret(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "key").write_text(f"ssh-ed25519 {folder}\n")
    meta = MetaData(
        facts={"instance-id": "i"},
        keys_field="public-keys",
        key_folders=(str(tmp_path / "one"), str(tmp_path / "two")),
    )
    await make(MakeSeed(path=str(tmp_path / "s.iso"), seed=Seed(label="cidata", files={"meta-data": meta})))
    extract(tmp_path / "s.iso", tmp_path / "out")
    assert json.loads((tmp_path / "out/meta-data").read_bytes()) == {
        "instance-id": "i",
        "public-keys": {"0": "ssh-ed25519 one", "1": "ssh-ed25519 two"},
    }
