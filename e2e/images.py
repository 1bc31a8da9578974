"""Images as a stranger might hand them over: small OCI layouts with chosen files."""

import hashlib
import io
import json
import struct
import tarfile
from pathlib import Path

_KIND = "application/vnd.oci.image"
# QEMU's docs/interop/qcow2.txt, version 2: magic, version, backing file's place and length, cluster bits …
_QCOW2 = struct.Struct(">4sIQIIQIIQQIIQ")


def oci_image(folder: Path, files: dict[str, bytes], links: dict[str, str] | None = None) -> str:
    """The reference of an image in ``folder`` that holds the files and symbolic links."""
    layer = _layer(files, links or {})
    digest = "sha256:" + hashlib.sha256(layer).hexdigest()
    platform = {"architecture": "amd64", "os": "linux"}
    config = json.dumps(platform | {"config": {}, "rootfs": {"type": "layers", "diff_ids": [digest]}})
    blobs = folder / "blobs" / "sha256"
    blobs.mkdir(parents=True)
    manifest = {
        "schemaVersion": 2,
        "mediaType": f"{_KIND}.manifest.v1+json",
        "config": _blob(blobs, config.encode(), "config.v1+json"),
        "layers": [_blob(blobs, layer, "layer.v1.tar")],
    }
    described = _blob(blobs, json.dumps(manifest).encode(), "manifest.v1+json")
    described["annotations"] = {"org.opencontainers.image.ref.name": "v1"}
    (folder / "oci-layout").write_text('{"imageLayoutVersion": "1.0.0"}')
    (folder / "index.json").write_text(json.dumps({"schemaVersion": 2, "manifests": [described]}))
    return f"oci:{folder}:v1"


def qcow2_on(backing: Path) -> bytes:
    """A qcow2 image that wants its content from another file of the host."""
    name = str(backing).encode()
    cluster = 1 << 16
    head = _QCOW2.pack(
        b"QFI\xfb", 2, _QCOW2.size, len(name), 16, 1 << 20, 0, 1, cluster, 2 * cluster, 1, 0, 0
    )
    return (head + name).ljust(4 * cluster, b"\0")


def _layer(files: dict[str, bytes], links: dict[str, str]) -> bytes:
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
        for name, target in links.items():
            member = tarfile.TarInfo(name)
            member.type, member.linkname = tarfile.SYMTYPE, target
            archive.addfile(member)
    return data.getvalue()


def _blob(folder: Path, content: bytes, kind: str) -> dict[str, object]:
    digest = hashlib.sha256(content).hexdigest()
    (folder / digest).write_bytes(content)
    return {"mediaType": f"{_KIND}.{kind}", "digest": f"sha256:{digest}", "size": len(content)}
