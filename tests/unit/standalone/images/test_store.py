"""Names point at trees; a change is whole or not at all."""

from pathlib import Path

import pytest

from virtdeck.basis.errors import Absent, Invalid
from virtdeck.safety.disk_images import UnsafeDiskImage
from virtdeck.standalone.images.importing import import_disk
from virtdeck.standalone.images.store import ImageStore


def quiet(_: str) -> None:
    return


def put(store: ImageStore, name: str, digest: str, content: str = "x") -> None:
    with store.workplace() as work:
        (work / "tree").mkdir()
        (work / "tree/file").write_text(content)
        store.add(name, f"sha256:{digest}", work / "tree", "test", local=True)


def trees(store: ImageStore) -> list[str]:
    return sorted(path.name for path in (store.root / "trees").iterdir())


def test_an_added_image_resolves_by_any_spelling(tmp_path: Path) -> None:
    store = ImageStore(tmp_path)
    put(store, "virtdeck/x", "aa")
    for spelling in ("virtdeck/x", "virtdeck/x:latest", "docker.io/virtdeck/x"):
        assert Path(store.resolve(spelling).path, "file").read_text() == "x"
    assert [record.name for record in store.all()] == ["virtdeck/x:latest"]


def test_a_missing_image_says_how_to_get_it(tmp_path: Path) -> None:
    with pytest.raises(Absent, match=r"virtdeck image pull registry\.example\.com/a/b:1"):
        ImageStore(tmp_path).resolve("registry.example.com/a/b:1")


def test_a_name_moves_to_a_new_tree_and_the_old_one_goes(tmp_path: Path) -> None:
    store = ImageStore(tmp_path)
    put(store, "a", "01")
    put(store, "a", "02", "new")
    assert trees(store) == ["sha256-02"]
    assert Path(store.resolve("a").path, "file").read_text() == "new"


def test_two_names_share_a_tree_until_both_are_gone(tmp_path: Path) -> None:
    store = ImageStore(tmp_path)
    put(store, "a", "01")
    put(store, "b", "01")
    store.remove("a")
    assert trees(store) == ["sha256-01"]
    store.remove("b")
    assert trees(store) == []
    with pytest.raises(Absent):
        store.remove("b")


def test_a_crashed_change_is_cleaned_up_and_a_running_one_is_not(tmp_path: Path) -> None:
    store = ImageStore(tmp_path)
    (tmp_path / "work/crashed").mkdir(parents=True)
    with store.workplace() as running:
        put(store, "a", "01")
        assert running.exists()
        assert not (tmp_path / "work/crashed").exists()
    assert list((tmp_path / "work").iterdir()) == []


def test_a_record_of_a_newer_release_is_refused(tmp_path: Path) -> None:
    store = ImageStore(tmp_path)
    put(store, "a", "01")
    file = next((tmp_path / "names").iterdir())
    file.write_text(file.read_text().replace('"format":1', '"format":9'))
    with pytest.raises(Invalid, match="newer virtdeck"):
        store.find("a")


def test_an_imported_disk_lies_in_disk_and_is_local(tmp_path: Path) -> None:
    disk = tmp_path / "my disk.raw"
    disk.write_bytes(b"\x33" * 1024 + b"\0" * (1 << 20))
    store = ImageStore(tmp_path / "store")
    record = import_disk(store, disk, "mine", quiet)
    assert record.local
    copy = Path(store.resolve("mine").path, "disk/disk.raw")
    assert copy.read_bytes() == disk.read_bytes()
    assert copy.stat().st_mode & 0o777 == 0o444
    assert import_disk(store, disk, "mine", quiet).digest == record.digest


@pytest.mark.parametrize("head", [b"KDMV", b"", b"QFI\xfb\0\0\0\x03" + b"\xff" * 100])
def test_an_unsafe_disk_leaves_nothing_behind(tmp_path: Path, head: bytes) -> None:
    disk = tmp_path / "x.img"
    disk.write_bytes(head)
    store = ImageStore(tmp_path / "store")
    with pytest.raises(UnsafeDiskImage):
        import_disk(store, disk, "mine", quiet)
    assert store.all() == []
    assert not list(tmp_path.glob("store/work/*"))


def test_a_folder_or_a_missing_file_is_not_imported(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none"):
        with pytest.raises(Invalid):
            import_disk(ImageStore(tmp_path / "store"), path, "mine", quiet)
