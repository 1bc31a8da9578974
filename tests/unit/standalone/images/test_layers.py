"""What of a layer is kept, and what is refused."""

import io
import os
import tarfile
from pathlib import Path

import pytest

from virtdeck.basis.errors import Invalid
from virtdeck.safety.paths import UnsafePath, open_trusted
from virtdeck.standalone.images.layers import Limits, Unpacking, apply_layer


def layer(*entries: tuple[str, bytes | str]) -> io.BytesIO:
    """A tar of files (bytes), folders (``dir``) and others (``link:x``, ``hard:x``, ``fifo``, ``device``)."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        for name, content in entries:
            member = tarfile.TarInfo(name)
            member.uid = 1234
            member.mode = 0o4777
            if isinstance(content, bytes):
                member.size = len(content)
                archive.addfile(member, io.BytesIO(content))
                continue
            kind, _, member.linkname = content.partition(":")
            member.type = {
                "dir": tarfile.DIRTYPE,
                "link": tarfile.SYMTYPE,
                "hard": tarfile.LNKTYPE,
                "fifo": tarfile.FIFOTYPE,
                "device": tarfile.CHRTYPE,
            }[kind]
            archive.addfile(member)
    stream.seek(0)
    return stream


def unpacked(folder: Path, *layers: io.BytesIO, limits: Limits | None = None) -> Unpacking:
    unpacking = Unpacking(limits or Limits())
    with open_trusted(folder) as root:
        for stream in layers:
            apply_layer(stream, root, unpacking)
    return unpacking


def test_files_become_read_only_and_lose_owner_and_set_uid(tmp_path: Path) -> None:
    unpacked(tmp_path, layer(("./disk/", "dir"), ("./disk/a.img", b"data")))
    found = (tmp_path / "disk/a.img").stat()
    assert (tmp_path / "disk/a.img").read_bytes() == b"data"
    assert found.st_mode & 0o7777 == 0o444
    assert found.st_uid == os.getuid()


def test_upper_layers_replace_and_whiteouts_remove(tmp_path: Path) -> None:
    first = layer(("a/one", b"1"), ("a/two", b"2"), ("b/three", b"3"), ("c", b"file"))
    second = layer(("a/.wh.one", b""), ("b/.wh..wh..opq", b""), ("b/four", b"4"), ("c/now-a-folder", b"5"))
    unpacked(tmp_path, first, second)
    assert sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()) == [
        "a/two",
        "b/four",
        "c/now-a-folder",
    ]


def test_links_and_devices_outside_disk_are_left_out_and_told(tmp_path: Path) -> None:
    done = unpacked(
        tmp_path,
        layer(
            ("etc/x", "link:/etc/passwd"),
            ("etc/y", "hard:etc/z"),
            ("dev/null", "device"),
            ("p", "fifo"),
            ("ok", b"1"),
        ),
    )
    assert [path.name for path in tmp_path.rglob("*") if not path.is_dir()] == ["ok"]
    assert done.skipped == ["etc/x", "etc/y", "dev/null", "p"]


@pytest.mark.parametrize(
    "kind", ["link:/etc/shadow", "link:../../canary", "hard:disk/other", "device", "fifo"]
)
def test_a_disk_that_is_a_link_or_a_device_is_refused(tmp_path: Path, kind: str) -> None:
    with pytest.raises(UnsafePath) as refusal:
        unpacked(tmp_path, layer(("disk/disk.img", kind)))
    assert refusal.value.reason == "UnsafeDiskPath"


def test_a_link_in_a_lower_layer_cannot_carry_a_file_outside(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    unpacked(root, layer(("out", "link:../..")), layer(("out/canary", b"x")))
    assert (root / "out/canary").read_bytes() == b"x"
    assert [path.name for path in tmp_path.iterdir()] == ["root"]


@pytest.mark.parametrize("name", ["../x", "a/../../x", "/".join("d" * 70), "n" * 300])
def test_names_that_lead_out_or_are_absurd_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UnsafePath):
        unpacked(tmp_path, layer((name, b"x")))


def test_an_absolute_name_lies_below_the_root(tmp_path: Path) -> None:
    unpacked(tmp_path, layer(("/etc/x", b"1")))
    assert (tmp_path / "etc/x").exists()


def test_too_many_bytes_or_members_are_stopped(tmp_path: Path) -> None:
    with pytest.raises(Invalid, match="more than 10 bytes"):
        unpacked(tmp_path, layer(("a", b"x" * 11)), limits=Limits(total_bytes=10))
    with pytest.raises(Invalid, match="more than 2 files"):
        unpacked(tmp_path, layer(("a", b""), ("b", b""), ("c", b"")), limits=Limits(members=2))


def test_a_cut_off_layer_is_broken_not_a_crash(tmp_path: Path) -> None:
    whole = layer(("a", b"x" * 100_000)).getvalue()
    with pytest.raises(Invalid) as refusal:
        unpacked(tmp_path, io.BytesIO(whole[:5000]))
    assert refusal.value.reason == "BrokenImage"
    with pytest.raises(Invalid):
        unpacked(tmp_path, io.BytesIO(b"\x01garbage" * 200))


def test_zeros_become_holes(tmp_path: Path) -> None:
    unpacked(tmp_path, layer(("big", b"\0" * (8 << 20) + b"end")))
    found = (tmp_path / "big").stat()
    assert found.st_size == (8 << 20) + 3
    assert found.st_blocks * 512 < 1 << 20
