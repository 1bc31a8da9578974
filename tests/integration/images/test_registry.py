"""Pulling from a registry: a small one of our own, asked by the real skopeo."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from tests.integration.images.test_pull import oci_layout, tar_of

from virtdeck.basis.errors import Absent, Unready
from virtdeck.standalone.images.pull import pull
from virtdeck.standalone.images.store import ImageStore

pytestmark = pytest.mark.root
MANIFEST = "application/vnd.oci.image.manifest.v1+json"


class Registry(ThreadingHTTPServer):
    """Serves the blobs of one OCI layout as ``team/disk:v1``."""

    daemon_threads = True
    layout: Path
    requests: list[str]

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.server_port}"

    def manifest(self) -> bytes:
        import json

        index = json.loads((self.layout / "index.json").read_bytes())
        digest: str = index["manifests"][0]["digest"].partition(":")[2]
        return (self.layout / "blobs/sha256" / digest).read_bytes()


class Handler(BaseHTTPRequestHandler):
    server: Registry

    def do_GET(self) -> None:
        path = self.path
        self.server.requests.append(path)
        if path == "/v2/":
            self._answer(b"{}", "application/json")
        elif path == "/v2/team/disk/manifests/v1":
            self._answer(self.server.manifest(), MANIFEST)
        elif path.startswith("/v2/team/disk/blobs/sha256:"):
            blob = self.server.layout / "blobs/sha256" / path.rpartition(":")[2]
            self._answer(blob.read_bytes(), "application/octet-stream")
        else:
            self.send_error(404)

    def _answer(self, body: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        return


@pytest.fixture
def registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Registry]:
    with Registry(("127.0.0.1", 0), Handler) as server:
        server.layout, server.requests = tmp_path / "layout", []
        config = tmp_path / ".config/containers/registries.conf"
        config.parent.mkdir(parents=True)
        config.write_text(f'[[registry]]\nlocation = "{server.host}"\ninsecure = true\n')
        monkeypatch.setenv("HOME", str(tmp_path))
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def test_an_image_is_fetched_once_until_the_registry_has_another(tmp_path: Path, registry: Registry) -> None:
    oci_layout(registry.layout, tar_of({"disk/a.img": b"\x33" * 512}))
    store, reference, said = ImageStore(tmp_path / "store"), f"{registry.host}/team/disk:v1", list[str]()
    first = pull(store, reference, said.append)
    assert (first.name, first.local) == (reference, False)
    blobs = len([path for path in registry.requests if "blobs" in path])
    assert pull(store, reference, said.append) == first
    assert len([path for path in registry.requests if "blobs" in path]) == blobs
    assert said[-1] == f"{reference} is up to date"
    oci_layout(registry.layout, tar_of({"disk/a.img": b"\x44" * 512}))
    assert pull(store, reference, said.append).digest != first.digest


def test_a_name_that_the_registry_does_not_know_is_absent(tmp_path: Path, registry: Registry) -> None:
    with pytest.raises(Absent):
        pull(ImageStore(tmp_path / "store"), f"{registry.host}/team/other:v1", lambda _: None)


def test_a_registry_that_does_not_answer_is_unready(tmp_path: Path) -> None:
    with pytest.raises(Unready):
        pull(ImageStore(tmp_path / "store"), "127.0.0.1:1/team/disk:v1", lambda _: None)
