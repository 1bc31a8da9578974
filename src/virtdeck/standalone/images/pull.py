"""Gets an image from a registry, an OCI layout or an archive into the store."""

import hashlib
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from virtdeck.basis.errors import Absent, HostFault, Invalid, Unready
from virtdeck.standalone.images.layers import Limits
from virtdeck.standalone.images.records import ImageRecord
from virtdeck.standalone.images.references import canonical, name_for, pull_source
from virtdeck.standalone.images.store import ImageStore

Progress = Callable[[str], None]

PULL_SECONDS = 3600
UNPACK_SECONDS = 3600
_INSPECT_SECONDS = 60
_MANIFEST_BYTES = 16 << 20
_ABSENT = (
    "manifest unknown",
    "not found",
    "no such file",
    "name unknown",
    "does not exist",
    "statuscode: 404",
)
_REFUSED = ("unauthorized", "denied", "authentication required")


def pull(
    store: ImageStore,
    reference: str,
    say: Progress,
    *,
    name: str | None = None,
    limits: Limits | None = None,
) -> ImageRecord:
    """The store has the image under its name, or under ``name``; what it has already is not fetched again.

    Raises: Absent, Unready (the registry), Invalid (the image or the name), HostFault.
    """
    bounds = limits or Limits()
    kept_as = canonical(name) if name else name_for(reference)
    source = pull_source(reference)
    _refuse_options(source)
    remote = _remote_digest(source) if source.startswith("docker://") else ""
    known = store.find(kept_as)
    if remote and known is not None and known.remote_digest == remote:
        say(f"{reference} is up to date")
        return known
    with store.workplace() as work:
        say(f"fetching {reference}")
        _copy(source, work / "image", bounds, decompress=False)
        say("unpacking")
        (work / "tree").mkdir()
        done = _unpack(work, bounds)
        if done.get("reason") == "CompressedWithZstd":
            _copy(source, work / "image", bounds, decompress=True)
            done = _unpack(work, bounds)
        if "reason" in done:
            raise Invalid(f"{reference}: {done['message']}", reason=str(done["reason"]))
        if done["skipped_count"]:
            say(f"left out {done['skipped_count']} links and special files")
        digest = "sha256:" + hashlib.sha256((work / "image/manifest.json").read_bytes()).hexdigest()
        archive = not source.startswith("docker://")
        return store.add(kept_as, digest, work / "tree", reference, local=archive, remote_digest=remote)


def _refuse_options(source: str) -> None:
    """skopeo takes operands only behind ``--``; a name is still no place for control characters."""
    if any(character < " " for character in source) or len(source) > 4096:
        raise Invalid("the reference holds control characters")


def _remote_digest(source: str) -> str:
    """The digest of what the registry has under this name now. Raises: Absent, Invalid, Unready."""
    done = _skopeo("inspect", "--raw", "--", source, seconds=_INSPECT_SECONDS)
    return "sha256:" + hashlib.sha256(done).hexdigest()


def _copy(source: str, target: Path, limits: Limits, *, decompress: bool) -> None:
    options = ["--dest-decompress"] if decompress else []
    # A registry may send more than it announced: no file may grow beyond the limit.
    _skopeo(
        "copy",
        "--quiet",
        *options,
        "--",
        source,
        f"dir:{target}",
        seconds=PULL_SECONDS,
        file_bytes=limits.total_bytes,
    )


def _skopeo(*arguments: str, seconds: float, file_bytes: int = _MANIFEST_BYTES) -> bytes:
    command = ["prlimit", f"--fsize={file_bytes}", "skopeo", "--override-os", "linux", "--insecure-policy"]
    source = next(text for text in arguments[arguments.index("--") + 1 :])
    try:
        done = subprocess.run([*command, *arguments], capture_output=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired as fault:
        raise Unready(f"{source} did not answer within {seconds:.0f} s", after_seconds=60) from fault
    except OSError as fault:
        raise HostFault(f"skopeo cannot be run: {fault}") from fault
    if done.returncode:
        raise _fault_of(source, done.stderr.decode(errors="replace"))
    return done.stdout


def _fault_of(source: str, text: str) -> Exception:
    lines = text.strip().splitlines() or ["no reason given"]
    reason = lines[-1].rpartition("level=fatal msg=")[2].strip('"').replace('\\"', '"')
    reason = reason.partition("\\n")[0].removeprefix(f'Error parsing image name "{source}": ')[:300]
    lowered = text.lower()
    if any(word in lowered for word in _ABSENT):
        return Absent(f"{source} does not exist: {reason}", reason="ImageAbsent")
    if any(word in lowered for word in _REFUSED):
        return Invalid(
            f"{source} may not be read; log in with: skopeo login. {reason}", reason="ImageRefused"
        )
    return Unready(f"{source} cannot be fetched: {reason}", reason="ImageUnreachable", after_seconds=30)


def _unpack(work: Path, limits: Limits) -> dict[str, Any]:
    command = [sys.executable, "-m", "virtdeck.standalone.images.unpack", str(work), str(limits.total_bytes)]
    environment = {"PYTHONPATH": ":".join(sys.path), "PATH": "/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=UNPACK_SECONDS, env=environment, check=False
        )
    except subprocess.TimeoutExpired as fault:
        raise Invalid(
            f"the image was not unpacked within {UNPACK_SECONDS} s", reason="ImageTooLarge"
        ) from fault
    try:
        answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    except (ValueError, IndexError) as fault:
        raise HostFault(f"the unpacker died: {done.stderr.strip()[-300:]}") from fault
    return answer
