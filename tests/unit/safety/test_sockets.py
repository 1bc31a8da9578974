"""A socket below a hostile folder is dialled by inode, and its peer is known by the kernel's word."""

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from virtdeck.basis.errors import Absent, Lost, Unready
from virtdeck.safety.paths import UnsafePath, open_trusted
from virtdeck.safety.sockets import connect_beneath


@pytest.fixture
def listener(tmp_path: Path) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as server:
        server.bind(str(tmp_path / "s.sock"))
        server.listen(1)
        yield server


def test_the_peer_is_who_listens(tmp_path: Path, listener: socket.socket) -> None:
    with open_trusted(tmp_path) as folder:
        channel, peer = connect_beneath(folder, "s.sock", uid=os.getuid())
    with channel:
        assert (peer.pid, peer.uid, peer.gid) == (os.getpid(), os.getuid(), os.getgid())
        accepted, _ = listener.accept()
        accepted.sendall(b"hello")
        assert channel.recv(5) == b"hello"
        accepted.close()


def test_a_path_longer_than_a_socket_address_works(tmp_path: Path, listener: socket.socket) -> None:
    deep = tmp_path / ("d" * 200)
    deep.mkdir()
    (tmp_path / "s.sock").rename(deep / "s.sock")
    with open_trusted(deep) as folder:
        channel, _ = connect_beneath(folder, "s.sock")
    channel.close()


def test_a_socket_of_another_user_is_refused(tmp_path: Path, listener: socket.socket) -> None:
    with open_trusted(tmp_path) as folder, pytest.raises(UnsafePath, match="is served by user"):
        connect_beneath(folder, "s.sock", uid=os.getuid() + 1)


def test_a_link_to_a_socket_is_refused(tmp_path: Path, listener: socket.socket) -> None:
    (tmp_path / "link.sock").symlink_to("s.sock")
    (tmp_path / "folder").symlink_to(".")
    with open_trusted(tmp_path) as folder:
        for path in ("link.sock", "folder/s.sock", f"../{tmp_path.name}/s.sock"):
            with pytest.raises(UnsafePath):
                connect_beneath(folder, path)


def test_a_file_is_no_socket(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with open_trusted(tmp_path) as folder:
        with pytest.raises(UnsafePath, match="not a socket"):
            connect_beneath(folder, "file")
        with pytest.raises(Absent):
            connect_beneath(folder, "none")


def test_a_socket_that_nobody_listens_on_is_lost(tmp_path: Path, listener: socket.socket) -> None:
    listener.close()
    with open_trusted(tmp_path) as folder, pytest.raises(Lost):
        connect_beneath(folder, "s.sock")


def test_a_full_queue_is_told_apart(tmp_path: Path, listener: socket.socket) -> None:
    with open_trusted(tmp_path) as folder:
        channels = [connect_beneath(folder, "s.sock")[0] for _ in range(2)]  # a backlog of 1 holds two
        with pytest.raises(Unready):
            connect_beneath(folder, "s.sock")
        for channel in channels:
            channel.close()
