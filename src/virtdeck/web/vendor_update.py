"""Fetches the browser code that we ship from npm, checks it, and writes what is needed into ``vendor/``.

Run ``python -m virtdeck.web.vendor_update`` after changing a version here; needs npm. The result is
committed, so that neither a user nor a build needs npm.
"""

import base64
import hashlib
import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "vendor"
ESBUILD = "esbuild@0.28.2"
BUNDLE_FLAGS = (
    "--bundle",
    "--minify",
    "--format=esm",
    "--target=es2022",
    "--legal-comments=eof",
    "--log-level=warning",
)


@dataclass(frozen=True)
class Package:
    """One npm package, what we take of it and under which name it lies here."""

    name: str
    version: str
    licence: str
    integrity: str
    """npm's own digest of the tarball: another one is refused."""
    files: tuple[tuple[str, str], ...]
    """Pairs of (path in the package, name in ``vendor/``)."""
    bundles: tuple[tuple[str, str], ...] = ()
    """Pairs of (entry module in the package, name of the one file that it becomes)."""


PACKAGES = (
    Package(
        "htmx.org",
        "4.0.1",
        "0BSD",
        "sha512-oF7JgXhDW9UXCy/k1ZYFUQgzu/rm19ORWPSPNL91vPluB2PB9+MV55tyQdH/w7o2EAbTYUG5SDW1R60mdkdqGg==",
        (
            ("dist/htmx.min.js", "htmx.js"),
            ("dist/ext/hx-sse.min.js", "hx-sse.js"),
            ("LICENSE", "htmx.LICENSE"),
        ),
    ),
    Package(
        "@novnc/novnc",
        "1.7.0",
        "MPL-2.0",
        "sha512-ucEJOx4T2avIRCleodk7YobZj5O2Ga2AeLfQ69A/yjG9HHba2+PDgwSkN3FttrmG+70ZGx21sElNFouK13RzyA==",
        (("LICENSE.txt", "novnc.LICENSE"), ("vendor/pako/LICENSE", "pako.LICENSE")),
        (("core/rfb.js", "novnc.js"),),
    ),
    Package(
        "@xterm/xterm",
        "6.0.0",
        "MIT",
        "sha512-TQwDdQGtwwDt+2cgKDLn0IRaSxYu1tSUjgKarSDkUM0ZNiSRXFpjxEsvc/Zgc5kq5omJ+V0a8/kIM2WD3sMOYg==",
        (("css/xterm.css", "xterm.css"), ("LICENSE", "xterm.LICENSE")),
        (("lib/xterm.mjs", "xterm.js"),),
    ),
    Package(
        "@xterm/addon-fit",
        "0.11.0",
        "MIT",
        "sha512-jYcgT6xtVYhnhgxh3QgYDnnNMYTcf8ElbxxFzX0IZo+vabQqSPAjC3c1wJrKB5E19VwQei89QCiZZP86DCPF7g==",
        (("LICENSE", "xterm-fit.LICENSE"),),
        (("lib/addon-fit.mjs", "xterm-fit.js"),),
    ),
    Package(
        "swagger-ui-dist",
        "5.35.0",
        "Apache-2.0",
        "sha512-U06rpMtW9V3XPGOBeamTUSr0Z09jMX4IJuANpE/EZbAhw0G8CgwrzU4YmXkn/h0wCDNsXdGarTNNHC3sU8yVUQ==",
        (
            ("swagger-ui-bundle.js", "swagger-ui.js"),
            ("swagger-ui.css", "swagger-ui.css"),
            ("LICENSE", "swagger-ui.LICENSE"),
            ("NOTICE", "swagger-ui.NOTICE"),
        ),
    ),
)


def unpack(package: Package, work: Path) -> Path:
    """The package's files below ``work``, after its digest was found right."""
    named = f"{package.name}@{package.version}"
    done = subprocess.run(
        ["npm", "pack", "--silent", named], cwd=work, check=True, capture_output=True, text=True, timeout=300
    )
    tarball = work / done.stdout.strip().splitlines()[-1]
    digest = base64.b64encode(hashlib.sha512(tarball.read_bytes()).digest()).decode()
    if f"sha512-{digest}" != package.integrity:
        raise SystemExit(f"{named}: the tarball's digest is sha512-{digest}, wanted {package.integrity}")
    folder = work / package.name.replace("/", "+")
    with tarfile.open(tarball) as archive:
        archive.extractall(folder)  # noqa: S202 - the digest above says that it is the tarball we looked at
    return folder / "package"


def bundle(entry: Path, target: Path) -> None:
    """One minified module at ``target`` with everything that ``entry`` imports."""
    subprocess.run(
        ["npx", "--yes", ESBUILD, str(entry), f"--outfile={target}", *BUNDLE_FLAGS],
        check=True,
        timeout=300,
    )


def install(package: Package, work: Path) -> dict[str, object]:
    """The package's record for vendor.json, after its files were written."""
    folder = unpack(package, work)
    for source, target in package.files:
        shutil.copyfile(folder / source, FOLDER / target)
    for entry, target in package.bundles:
        bundle(folder / entry, FOLDER / target)
    names = sorted(target for _, target in package.files + package.bundles)
    return {
        "name": package.name,
        "version": package.version,
        "licence": package.licence,
        "integrity": package.integrity,
        "files": {name: hashlib.sha256((FOLDER / name).read_bytes()).hexdigest() for name in names},
    }


def main() -> int:
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        records = [install(package, Path(work)) for package in PACKAGES]
    (FOLDER / "vendor.json").write_text(json.dumps(records, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
