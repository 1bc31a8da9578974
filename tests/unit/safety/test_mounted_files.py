"""Mounted ConfigMaps and Secrets are read as a kubelet lays them, and nothing else is."""

from pathlib import Path

import pytest

from virtdeck.basis.errors import Invalid
from virtdeck.safety.mounted_files import Bounds, read_mounted_files
from virtdeck.safety.paths import UnsafePath, open_trusted


def read(folder: Path, **bounds: int) -> dict[str, bytes]:
    with open_trusted(folder) as mount:
        return read_mounted_files(mount, Bounds(**bounds))


def lay(folder: Path, revision: str) -> Path:
    """Files as a kubelet lays them: a folder of the revision, the link to it, and links into it."""
    (folder / revision / "sub").mkdir(parents=True)
    (folder / revision / "key").write_text("value")
    (folder / revision / "sub/key").write_text("below")
    (folder / "..data").symlink_to(revision)
    (folder / "key").symlink_to("..data/key")
    (folder / "sub").symlink_to("..data/sub")
    return folder


def test_the_current_revision_is_read(tmp_path: Path) -> None:
    (tmp_path / "..old").mkdir()
    (tmp_path / "..old/gone").write_text("old")
    assert read(lay(tmp_path, "..new")) == {"key": b"value", "sub/key": b"below"}


def test_files_without_revisions_are_read_as_they_lie(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub/key").write_bytes(b"x")
    assert read(tmp_path) == {"sub/key": b"x"}


@pytest.mark.parametrize("target", ["/etc", "../elsewhere", "a/b", ".", ".."])
def test_a_revision_elsewhere_is_refused(tmp_path: Path, target: str) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "mount").mkdir()
    (tmp_path / "mount/..data").symlink_to(target)
    with pytest.raises(UnsafePath):
        read(tmp_path / "mount")


def test_a_revision_that_is_itself_a_link_is_refused(tmp_path: Path) -> None:
    (tmp_path / "..data").symlink_to("..new")
    (tmp_path / "..new").symlink_to("/etc")
    with pytest.raises(UnsafePath):
        read(tmp_path)


def test_links_among_the_files_are_refused(tmp_path: Path) -> None:
    (lay(tmp_path, "..new") / "..new/shadow").symlink_to("/etc/shadow")
    with pytest.raises(UnsafePath, match="symbolic link"):
        read(tmp_path)


@pytest.mark.parametrize(
    ("bounds", "said"),
    [({"files": 1}, "more than 1 files"), ({"total": 9}, "larger than 9 bytes")],
)
def test_more_than_the_bounds_is_refused(tmp_path: Path, bounds: dict[str, int], said: str) -> None:
    with pytest.raises(Invalid, match=said):
        read(lay(tmp_path, "..new"), **bounds)


def test_what_is_just_within_the_bounds_is_taken(tmp_path: Path) -> None:
    assert len(read(lay(tmp_path, "..new"), files=2, total=10)) == 2


def test_nesting_is_bounded(tmp_path: Path) -> None:
    with pytest.raises(UnsafePath, match="too deep"):
        read(lay(tmp_path, "..new"), depth=1)
