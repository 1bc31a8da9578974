"""Debian's packages and source packages, by the machine's own package sources."""

import os
import re
import subprocess
from collections.abc import Iterable
from pathlib import Path

_SOURCES = Path("/etc/apt")


def install_packages(names: Iterable[str]) -> None:
    """The packages are installed; asks the mirror only for those that are not."""
    missing = [name for name in names if not _is_installed(name)]
    if not missing:
        return
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(["apt-get", "update", "-qq"], check=True, timeout=300)
    command = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *missing]
    subprocess.run(command, env=quiet, check=True, timeout=900, stdout=subprocess.DEVNULL)


def _is_installed(name: str) -> bool:
    command = ["dpkg-query", "-W", "-f", "${db:Status-Status}", name]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout == "installed"


class Sources:
    """A view of the machine's package sources that asks for source packages, in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._parts = folder / "parts"
        lists = folder / "lists"
        for made in (self._parts, lists / "partial"):
            made.mkdir(parents=True)
        for found in (_SOURCES / "sources.list", *sorted((_SOURCES / "sources.list.d").iterdir())):
            self._adopt(found)
        self._options = (
            "-oDir::Etc::sourcelist=/dev/null",
            f"-oDir::Etc::sourceparts={self._parts}",
            f"-oDir::State::lists={lists}",
            "-oAPT::Sandbox::User=root",
        )

    def _adopt(self, source: Path) -> None:
        if source.suffix not in {".list", ".sources"} or not source.is_file():
            return
        text = re.sub(r"^Types:.*$", "Types: deb-src", source.read_text(), flags=re.MULTILINE)
        (self._parts / source.name).write_text(re.sub(r"^deb\s", "deb-src ", text, flags=re.MULTILINE))

    def unpack(self, package: str, destination: Path) -> None:
        """The newest source of the package lies at the destination."""
        self._apt("update", "-qq")
        self._apt("source", "-qq", "--download-only", package)
        [description] = self._folder.glob(f"{package}_*.dsc")
        destination.parent.mkdir(parents=True, exist_ok=True)
        command = ["dpkg-source", "-x", str(description), str(destination)]
        subprocess.run(command, check=True, timeout=600, stdout=subprocess.DEVNULL)

    def _apt(self, *arguments: str) -> None:
        command = ["apt-get", *self._options, *arguments]
        subprocess.run(command, cwd=self._folder, check=True, timeout=900)
