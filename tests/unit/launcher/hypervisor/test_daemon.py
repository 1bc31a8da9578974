"""The private daemon's folders, configuration and cache."""

import os
from pathlib import Path

import pytest

from virtdeck.launcher.hypervisor.daemon import DaemonPaths, start_daemon


@pytest.fixture
def program(tmp_path: Path) -> str:
    """Stands where libvirtd does: writes down its environment and ends."""
    path = tmp_path / "libvirtd"
    path.write_text("#!/bin/sh\nenv\n")
    path.chmod(0o755)
    return str(path)


def run(program: str, paths: DaemonPaths, warm: str | None) -> str:
    os.waitpid(start_daemon(paths, "the-uuid", warm, program), 0)
    return Path(paths.log).read_text()


def test_the_daemon_knows_no_folder_but_its_own(program: str, tmp_path: Path) -> None:
    paths = DaemonPaths(str(tmp_path / "root"))
    told = run(program, paths, None)
    for name in ("XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "HOME"):
        assert f"{name}={tmp_path / 'root'}" in told
    assert 'host_uuid = "the-uuid"' in (Path(paths.config) / "libvirt/libvirtd.conf").read_text()
    assert 'security_driver = "none"' in (Path(paths.config) / "libvirt/qemu.conf").read_text()


def test_a_warm_cache_is_copied(program: str, tmp_path: Path) -> None:
    warm = tmp_path / "warm"
    (warm / "kvm").mkdir(parents=True)
    for path in (warm / "a.xml", warm / "kvm/a.xml"):
        path.write_text("<qemuCaps/>")
    paths = DaemonPaths(str(tmp_path / "root"))
    run(program, paths, str(warm))
    assert [path.name for path in Path(paths.capabilities).iterdir()] == ["a.xml"]


@pytest.mark.parametrize("warm", ["/nowhere", ""])
def test_a_cache_that_is_not_there_is_none(program: str, tmp_path: Path, warm: str) -> None:
    paths = DaemonPaths(str(tmp_path / "root"))
    run(program, paths, warm)
    assert list(Path(paths.capabilities).iterdir()) == []
