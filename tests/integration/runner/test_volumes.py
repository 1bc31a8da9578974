"""Volumes of files, laid by the kernel's own means and taken away again."""

from pathlib import Path
from typing import Any

import pytest
from tests.unit.standalone.runner.builders import IMAGE, a_pod

from virtdeck.basis.errors import Invalid
from virtdeck.standalone.runner.launch import Launch, read_launch
from virtdeck.standalone.runner.mounts import mounts_below
from virtdeck.standalone.runner.volumes import Sources, lay_volumes, remove_volumes

pytestmark = pytest.mark.root

KINDS: dict[str, dict[str, Any]] = {
    "configmap": {"configMap": {"name": "c"}},
    "secret": {"secret": {"secretName": "s"}},
    "downward-api": {"downwardAPI": {"items": []}},
    "projected": {"projected": {"sources": []}},
}


def launch(**source: Any) -> Launch:
    return read_launch(a_pod({"volumes": [{"name": "v", **source}]}), IMAGE)


def lay(pods: Path, files: dict[str, bytes], **source: Any) -> Path:
    return Path(lay_volumes(pods, "u1", launch(**source), Sources({"v": files}, {}))["v"])


def content(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("kind", KINDS)
def test_files_lie_in_memory_for_the_pods_group_alone(tmp_path: Path, kind: str) -> None:
    folder = lay(tmp_path, {"deep/key": b"x"}, **KINDS[kind])
    try:
        assert folder.parent.name == f"kubernetes.io~{kind}"
        assert content(folder) == {"deep/key": b"x"}
        found = (folder / "deep/key").stat()
        assert (found.st_uid, found.st_gid, found.st_mode & 0o777) == (0, 108, 0o440)
        assert mounts_below(str(tmp_path)) == [str(folder)]
    finally:
        remove_volumes(tmp_path, "u1")
    assert not (tmp_path / "u1").exists()


def test_another_attempt_leaves_nothing_of_the_one_before(tmp_path: Path) -> None:
    try:
        lay(tmp_path, {"gone/key": b"1", "kept": b"1"}, configMap={"name": "c"})
        folder = lay(tmp_path, {"kept": b"2", "new": b"2"}, configMap={"name": "c"})
        assert content(folder) == {"kept": b"2", "new": b"2"}
    finally:
        remove_volumes(tmp_path, "u1")


@pytest.mark.parametrize("path", ["../out", "/etc/x", "a//b", "a/../b", ""])
def test_a_path_out_of_the_volume_is_refused(tmp_path: Path, path: str) -> None:
    try:
        with pytest.raises(Invalid, match="is no path inside a volume"):
            lay(tmp_path, {path: b"x"}, downwardAPI={"items": []})
    finally:
        remove_volumes(tmp_path, "u1")


def test_thousands_of_small_files_find_room(tmp_path: Path) -> None:
    try:
        files = {f"key-{number}": b"x" for number in range(3000)}
        assert len(content(lay(tmp_path, files, configMap={"name": "c"}))) == 3000
    finally:
        remove_volumes(tmp_path, "u1")
