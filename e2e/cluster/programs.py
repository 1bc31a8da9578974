"""The programs of a real Kubernetes, built once from Debian's source and kept outside the checkout."""

import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from e2e.cluster.debian import Sources, install_packages

VERSION = "1.20.2"
# Raised when the way of building changes what the programs do.
REVISION = 1
NAMES = ("kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubelet")
# Where the cache may lie instead of its usual place.
CACHE_VARIABLE = "VIRTDECK_TESTS_CACHE"
_USUAL_CACHE = "/var/cache/virtdeck-tests"
_BUILD_PACKAGES = {
    "golang-go": "compiles Kubernetes",
    "golang-github-modern-go-reflect2-dev": "a reflect2 that knows this compiler's maps",
    "rsync": "its build copies generated code",
    "jq": "its build reads module lists",
    "make": "its build",
    "git": "its build asks where it is",
    "dpkg-dev": "unpacks source packages",
}
# The vendored one misreads maps of Go 1.18 and newer: the first custom resource crashed the server.
_REFLECT2 = Path("/usr/share/gocode/src/github.com/modern-go/reflect2")
_VERSION_VARIABLES = {
    "KUBE_GIT_VERSION": f"v{VERSION}",
    "KUBE_GIT_MAJOR": "1",
    "KUBE_GIT_MINOR": "20",
    "KUBE_GIT_COMMIT": "debian",
    "KUBE_GIT_TREE_STATE": "archive",
}


@dataclass(frozen=True)
class Programs:
    """A folder that has, or will have, the four programs."""

    folder: Path

    def __getitem__(self, name: str) -> Path:
        return self.folder / name

    @property
    def are_there(self) -> bool:
        return all(os.access(self.folder / name, os.X_OK) for name in NAMES)


def cache_folder() -> Path:
    """What takes long to make or fetch is kept here, outside any checkout."""
    return Path(os.environ.get(CACHE_VARIABLE, _USUAL_CACHE))


def cached_programs() -> Programs:
    """Where this revision's programs lie on this machine, whether they were built yet or not."""
    return Programs(cache_folder() / f"kubernetes-{VERSION}-{REVISION}")


def require_programs() -> Programs:
    """The programs, built if they were not there: about five minutes of two cores, and Debian's mirror."""
    programs = cached_programs()
    if not programs.are_there:
        _build(programs.folder)
    return programs


def _build(destination: Path) -> None:
    """The folder appears with all four programs, or not at all."""
    destination.parent.mkdir(parents=True, exist_ok=True)
    install_packages(_BUILD_PACKAGES)
    with tempfile.TemporaryDirectory(prefix="building-", dir=destination.parent) as name:
        work = Path(name)
        tree = work / "gopath/src/k8s.io/kubernetes"
        Sources(work / "apt").unpack("kubernetes", tree)
        _mend(tree)
        _compile(tree, work)
        made = work / "made"
        made.mkdir()
        for program in NAMES:
            shutil.copy2(tree / "_output/bin" / program, made / program)
        made.rename(destination)


def _mend(tree: Path) -> None:
    """The source works with Debian's compiler."""
    vendored = tree / "vendor/github.com/modern-go/reflect2"
    shutil.rmtree(vendored)
    shutil.copytree(_REFLECT2, vendored, ignore=shutil.ignore_patterns("*_test.go", "go.mod"))


def _compile(tree: Path, work: Path) -> None:
    environment = {
        **os.environ,
        **_VERSION_VARIABLES,
        "GOPATH": str(work / "gopath"),
        "GOCACHE": str(work / "gocache"),
        "GO111MODULE": "auto",
        "GOFLAGS": "",
        "CGO_ENABLED": "0",
    }
    subprocess.run(["git", "init", "--quiet", "."], cwd=tree, check=True)
    # Through its own make: it generates code first, without which the API server does not compile.
    what = "WHAT=" + " ".join(f"cmd/{name}" for name in NAMES)
    subprocess.run(["nice", "-n", "10", "make", what], cwd=tree, env=environment, check=True, timeout=3600)
