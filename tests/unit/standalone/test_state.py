"""The state folder's format and files."""

import stat
from pathlib import Path

import pytest

from virtdeck.basis.errors import Conflict, Invalid
from virtdeck.standalone.state import held_lock, open_state, write_file


def test_state_folder_from_the_future_is_refused(tmp_path: Path) -> None:
    open_state(tmp_path / "s")
    (tmp_path / "s" / "version").write_text("999\n")
    with pytest.raises(Invalid, match="format 999"):
        open_state(tmp_path / "s")


def test_folder_of_somebody_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("private")
    with pytest.raises(Invalid, match="not a state folder"):
        open_state(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_keys_and_settings_are_for_root_alone(tmp_path: Path) -> None:
    state = open_state(tmp_path / "s")
    for name in ("pki", "config", "kubeconfigs", "apiserver", "gateway"):
        assert stat.S_IMODE(state.path(name).stat().st_mode) == 0o700


def test_written_file_replaces_the_old_one_with_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_file(path, "old", mode=0o644)
    write_file(path, "new")
    assert path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_two_commands_never_change_one_instance_at_once(tmp_path: Path) -> None:
    state = open_state(tmp_path / "s")
    with held_lock(state), pytest.raises(Conflict, match="another virtdeck command"), held_lock(state):
        pass
