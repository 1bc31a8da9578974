"""A confined walk reaches nothing outside its folder and follows no link."""

import os
from pathlib import Path

import pytest

from virtdeck.basis.errors import Absent
from virtdeck.safety.paths import Directory, UnsafePath, open_trusted


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "canary").write_text("secret")
    inside = tmp_path / "inside"
    (inside / "sub").mkdir(parents=True)
    (inside / "sub" / "file").write_text("content")
    (inside / "absolute").symlink_to(tmp_path / "canary")
    (inside / "relative").symlink_to("../canary")
    (inside / "to-sub").symlink_to("sub")
    (inside / "up").symlink_to("..")
    os.mkfifo(inside / "pipe")
    return inside


def test_a_plain_file_below_is_read(folder: Path) -> None:
    with open_trusted(folder) as root:
        assert root.read_bytes("sub/file") == b"content"
        with root.directory("sub") as sub:
            assert sub.read_bytes("file") == b"content"


@pytest.mark.parametrize(
    "path",
    [
        "absolute",
        "relative",
        "to-sub/file",
        "up/canary",
        "../canary",
        "sub/../../canary",
        "/etc/passwd",
        "nul\0",
        "sub",
        "pipe",
        "sub/file/x",
        "/proc/self/root/etc/passwd",
        "x" * 300,
    ],
)
def test_whatever_leads_out_or_is_no_file_is_refused(folder: Path, path: str) -> None:
    with open_trusted(folder) as root, pytest.raises(UnsafePath):
        root.open_file(path)


def test_a_missing_file_is_absent_and_not_unsafe(folder: Path) -> None:
    with open_trusted(folder) as root, pytest.raises(Absent):
        root.open_file("sub/nothing")


def test_a_file_longer_than_the_limit_is_refused(folder: Path) -> None:
    with open_trusted(folder) as root, pytest.raises(UnsafePath, match="longer than 3 bytes"):
        root.read_bytes("sub/file", limit=3)


def test_writing_replaces_a_link_instead_of_following_it(folder: Path) -> None:
    with open_trusted(folder) as root:
        root.write_bytes("relative", b"mine", mode=0o640)
    assert (folder.parent / "canary").read_text() == "secret"
    assert not (folder / "relative").is_symlink()
    assert (folder / "relative").read_bytes() == b"mine"
    assert (folder / "relative").stat().st_mode & 0o777 == 0o640


def test_creating_through_a_link_or_over_a_file_is_refused(folder: Path) -> None:
    with open_trusted(folder) as root:
        with pytest.raises((FileExistsError, UnsafePath)):
            root.create_file("relative")
        with pytest.raises(FileExistsError):
            root.create_file("sub/file")


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "a\0b", "y" * 256])
def test_a_name_is_one_component(folder: Path, name: str) -> None:
    with open_trusted(folder) as root:
        for act in (root.remove_file, root.remove_tree, lambda n: root.write_bytes(n, b"")):
            with pytest.raises(UnsafePath):
                act(name)


def test_removing_a_tree_removes_links_and_not_what_they_name(folder: Path) -> None:
    with open_trusted(folder.parent) as root:
        root.remove_tree("inside")
        assert root.names() == ["canary"]
        assert root.read_bytes("canary") == b"secret"
        root.remove_tree("inside")


def test_removing_a_tree_deeper_than_the_limit_of_open_files(folder: Path) -> None:
    with open_trusted(folder) as root:
        here = Directory(os.dup(root.fd))
        for _ in range(1500):
            deeper = here.make_directory("d")
            here.close()
            here = deeper
        here.close()
        root.remove_tree("d")
        assert "d" not in root.names()
        assert not [name for name in root.names() if name.endswith(".removed")]


def test_a_link_has_no_handle(folder: Path) -> None:
    with open_trusted(folder) as root:
        with pytest.raises(UnsafePath):
            root.handle("relative")
        assert root.exists("sub/file")
        assert not root.exists("sub/other")


def test_no_descriptor_is_leaked(folder: Path) -> None:
    def descriptors() -> int:
        return len(os.listdir("/proc/self/fd"))  # noqa: PTH208

    before = descriptors()
    with open_trusted(folder) as root:
        for path in ("sub", "pipe", "relative", "sub/none"):
            with pytest.raises((UnsafePath, Absent)):
                root.open_file(path)
        root.write_bytes("new", b"x")
        root.stat("sub/file")
    assert descriptors() == before
