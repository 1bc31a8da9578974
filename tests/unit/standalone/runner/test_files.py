"""What is written into a container's /etc, the host's nftables, and read from mountinfo."""

from pathlib import Path

from virtdeck.standalone.runner.masquerade import masquerade_rules
from virtdeck.standalone.runner.reboot import clear_after_reboot
from virtdeck.standalone.runner.rootfs import hosts, lay_root, resolv_conf


def test_resolvers_on_the_hosts_loopback_are_left_out() -> None:
    text = "# note\nnameserver 127.0.0.53\nnameserver ::1\nnameserver 192.0.2.53\nsearch lan\nsortlist x\n"
    assert resolv_conf(text) == "nameserver 192.0.2.53\nsearch lan\n"


def test_the_pod_knows_its_own_name() -> None:
    assert hosts("vm1", ("10.0.0.5",)).splitlines()[-1] == "10.0.0.5 vm1"


def test_the_masquerade_table_is_made_anew_at_once() -> None:
    rules = masquerade_rules("virtdeck-a", "vd-a", ("10.0.0.0/20", "fd00::/64"))
    assert rules.index("flush table inet virtdeck-a") < rules.index("chain postrouting")
    assert 'ip saddr 10.0.0.0/20 oifname != "vd-a" masquerade' in rules
    assert 'ip6 saddr fd00::/64 oifname != "vd-a" masquerade' in rules


def test_a_reboot_is_noticed_once(tmp_path: Path) -> None:
    assert clear_after_reboot(tmp_path / "run", "boot-1")
    assert not clear_after_reboot(tmp_path / "run", "boot-1")
    assert clear_after_reboot(tmp_path / "run", "boot-2")


def test_a_root_holds_links_and_empty_folders_alone(tmp_path: Path) -> None:
    lay_root(tmp_path, ("/opt/app",))
    lay_root(tmp_path, ("/opt/app",))
    assert str((tmp_path / "bin").readlink()) == "usr/bin"
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and not path.is_symlink()]
    assert (tmp_path / "opt/app").is_dir()


def test_programs_below_a_folder_that_is_else_a_link_are_shown_there(tmp_path: Path) -> None:
    lay_root(tmp_path, ("/var/tmp/checkout/.venv",))
    lay_root(tmp_path, ("/var/tmp/checkout/.venv",))
    assert (tmp_path / "var/tmp/checkout/.venv").is_dir()
    assert (tmp_path / "var/run").is_symlink()
