"""Images pulled by skopeo and unpacked in the confined child."""

import gzip
import hashlib
import io
import json
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from virtdeck.basis.errors import Absent, Invalid
from virtdeck.standalone.images.layers import Limits
from virtdeck.standalone.images.pull import pull
from virtdeck.standalone.images.store import ImageStore

pytestmark = pytest.mark.root


def quiet(_: str) -> None:
    return


def blob(layout: Path, data: bytes) -> dict[str, object]:
    digest = hashlib.sha256(data).hexdigest()
    folder = layout / "blobs/sha256"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / digest).write_bytes(data)
    return {"digest": f"sha256:{digest}", "size": len(data)}


def oci_layout(layout: Path, tar: bytes, *, compress: bool = True) -> None:
    """An OCI layout with one layer."""
    kind = "application/vnd.oci.image."
    layer = blob(layout, gzip.compress(tar, mtime=0) if compress else tar)
    layer["mediaType"] = f"{kind}layer.v1.tar+gzip" if compress else f"{kind}layer.v1.tar"
    rootfs = {"type": "layers", "diff_ids": ["sha256:" + hashlib.sha256(tar).hexdigest()]}
    config = blob(layout, json.dumps({"architecture": "amd64", "os": "linux", "rootfs": rootfs}).encode())
    config["mediaType"] = f"{kind}config.v1+json"
    manifest = {
        "schemaVersion": 2,
        "mediaType": f"{kind}manifest.v1+json",
        "config": config,
        "layers": [layer],
    }
    entry = blob(layout, json.dumps(manifest).encode())
    entry |= {
        "mediaType": f"{kind}manifest.v1+json",
        "annotations": {"org.opencontainers.image.ref.name": "v1"},
    }
    (layout / "index.json").write_text(json.dumps({"schemaVersion": 2, "manifests": [entry]}))
    (layout / "oci-layout").write_text('{"imageLayoutVersion":"1.0.0"}')


def tar_of(files: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return stream.getvalue()


@pytest.mark.parametrize("compress", [True, False])
def test_an_oci_layout_becomes_files_owned_by_root(tmp_path: Path, compress: bool) -> None:
    oci_layout(tmp_path / "l", tar_of({"disk/a.img": b"\x33" * 4096}), compress=compress)
    store = ImageStore(tmp_path / "store")
    record = pull(store, f"oci:{tmp_path}/l:v1", quiet, name="team/disk")
    file = Path(store.resolve("team/disk:latest").path, "disk/a.img")
    assert file.read_bytes() == b"\x33" * 4096
    assert (file.stat().st_uid, file.stat().st_mode & 0o777) == (0, 0o444)
    assert record.local
    assert not list((tmp_path / "store/work").iterdir())


def test_a_docker_archive_is_taken(tmp_path: Path) -> None:
    oci_layout(tmp_path / "l", tar_of({"disk/a.img": b"\x33" * 4096}))
    archive = f"docker-archive:{tmp_path}/a.tar:team/x:1"
    subprocess.run(
        ["skopeo", "--insecure-policy", "copy", "-q", f"oci:{tmp_path}/l:v1", archive], check=True, timeout=60
    )
    store = ImageStore(tmp_path / "store")
    assert pull(store, f"docker-archive:{tmp_path}/a.tar", quiet, name="team/x:1").name == "team/x:1"


def test_what_is_not_there_is_absent(tmp_path: Path) -> None:
    with pytest.raises(Absent):
        pull(ImageStore(tmp_path / "store"), f"oci:{tmp_path}/none:v1", quiet)


def test_an_unsafe_disk_in_an_image_is_refused_by_rule(tmp_path: Path) -> None:
    disk = tmp_path / "evil.qcow2"
    subprocess.run(
        ["qemu-img", "create", "-q", "-f", "qcow2", "-F", "raw", "-b", "/etc/passwd", str(disk), "1G"],
        check=True,
        timeout=60,
    )
    oci_layout(tmp_path / "l", tar_of({"disk/a.qcow2": disk.read_bytes()}))
    store = ImageStore(tmp_path / "store")
    with pytest.raises(Invalid, match="backing file"):
        pull(store, f"oci:{tmp_path}/l:v1", quiet)
    assert store.all() == []


def test_a_decompression_bomb_is_stopped_at_the_limit(tmp_path: Path) -> None:
    oci_layout(tmp_path / "l", tar_of({"disk/a.img": bytes(32 << 20)}))
    store = ImageStore(tmp_path / "store")
    with pytest.raises(Invalid) as refusal:
        pull(store, f"oci:{tmp_path}/l:v1", quiet, limits=Limits(total_bytes=1 << 20))
    assert refusal.value.reason == "ImageTooLarge"
    assert not list((tmp_path / "store/work").iterdir())


def test_the_unpacker_sees_no_network_and_no_other_folder(tmp_path: Path) -> None:
    probe = (
        "import os, socket, sys; from pathlib import Path\n"
        "from virtdeck.standalone.images.confinement import confine\n"
        "confine(Path(sys.argv[1]), 1 << 30, 10, 1 << 20)\n"
        "print(os.listdir('/'), [n for _, n in socket.if_nameindex()],"
        " [l for l in open('/status')] if os.path.exists('/status') else '')\n"
        "try: os.mknod('/x', 0o20600, os.makedev(1, 3))\n"
        "except PermissionError: print('no devices')\n"
    )
    (tmp_path / "only").mkdir()
    done = subprocess.run(
        [sys.executable, "-c", probe, str(tmp_path)],
        env={"PYTHONPATH": "src"},
        capture_output=True,
        text=True,
        check=True,
        timeout=30,
    )
    assert done.stdout.splitlines() == ["['only'] ['lo'] ", "no devices"]
