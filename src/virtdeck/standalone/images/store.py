"""The store's folder: names that point at read-only trees of files, changed under a lock and all at once."""

import fcntl
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

import msgspec

from virtdeck.basis.clock import Clock, SystemClock, rfc3339
from virtdeck.basis.errors import Absent, Invalid
from virtdeck.standalone.images.records import FORMAT, ImageRecord, ImageTree
from virtdeck.standalone.images.references import canonical

_MOUNTS = Path("/proc/self/mountinfo")


class ImageStore:
    """One store. Instances hold no state, so any number of processes may use the same folder."""

    def __init__(self, root: str | os.PathLike[str], clock: Clock | None = None) -> None:
        self.root = Path(root)
        self._clock = clock or SystemClock()
        self._names = self.root / "names"
        self._trees = self.root / "trees"
        self._work = self.root / "work"

    def all(self) -> list[ImageRecord]:
        """Every image, by name."""
        found = [record for path in self._names.glob("*.json") if (record := _read(path)) is not None]
        return sorted(found, key=lambda record: record.name)

    def find(self, reference: str) -> ImageRecord | None:
        """What the store knows under this name. Raises: Invalid for what is no name."""
        return _read(self._name_file(canonical(reference)))

    def resolve(self, reference: str) -> ImageTree:
        """The image's files. Raises: Absent, with a sentence on how to get the image; Invalid."""
        record = self.find(reference)
        if record is None:
            raise Absent(
                f"the image {reference} is not in the local store;"
                f" get it with: virtdeck image pull {reference}",
                reason="ImageNotPresent",
            )
        return ImageTree(record=record, path=str(self._tree(record.digest)))

    @contextmanager
    def workplace(self) -> Iterator[Path]:
        """A folder in the store that is gone afterwards; after a crash it goes at the next change."""
        self._work.mkdir(parents=True, exist_ok=True)
        folder = self._work / secrets.token_hex(8)
        folder.mkdir(mode=0o700)
        lock = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)
            os.close(lock)

    def add(
        self, name: str, digest: str, tree: Path, source: str, *, local: bool, remote_digest: str = ""
    ) -> ImageRecord:
        """The name stands for the files in ``tree``, which is moved into the store.

        tree: below a ``workplace``. A tree that the store has already is kept instead.
        """
        record = ImageRecord(
            name=canonical(name),
            digest=digest,
            size=_disk_usage(tree),
            created=rfc3339(self._clock.now()),
            source=source,
            local=local,
            remote_digest=remote_digest,
        )
        os.sync()  # the name must not survive a power loss that the files do not
        with self._locked():
            self._names.mkdir(exist_ok=True)
            self._trees.mkdir(exist_ok=True)
            if not self._tree(digest).exists():
                tree.chmod(0o755)
                tree.rename(self._tree(digest))
            _replace(self._name_file(record.name), msgspec.json.encode(record))
            self._collect()
        return record

    def remove(self, reference: str) -> ImageRecord:
        """The name is gone; its files stay as long as a pod has them mounted. Raises: Absent, Invalid."""
        with self._locked():
            record = self.resolve(reference).record
            self._name_file(record.name).unlink()
            self._collect()
        return record

    def collect(self) -> None:
        """Files that no name and no mount holds are gone."""
        if not self._trees.exists():
            return
        with self._locked():
            self._collect()

    def _collect(self) -> None:
        kept = {self._tree(record.digest).name for record in self.all()}
        mounts = _MOUNTS.read_text()
        for tree in self._trees.iterdir():
            if tree.name not in kept and f"/trees/{tree.name} " not in mounts:
                self._work.mkdir(exist_ok=True)
                tree.rename(self._work / f"{tree.name}.removed")
        for folder in self._work.glob("*"):
            if _abandoned(folder):
                shutil.rmtree(folder, ignore_errors=True)

    def _tree(self, digest: str) -> Path:
        return self._trees / digest.replace(":", "-")

    def _name_file(self, name: str) -> Path:
        return self._names / f"{quote(name, safe='')}.json"

    @contextmanager
    def _locked(self) -> Iterator[None]:
        self.root.mkdir(parents=True, exist_ok=True)
        lock = os.open(self.root / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
        finally:
            os.close(lock)


def _read(path: Path) -> ImageRecord | None:
    try:
        record = msgspec.json.decode(path.read_bytes(), type=ImageRecord)
    except FileNotFoundError:
        return None
    except msgspec.DecodeError as fault:
        raise Invalid(f"{path} is damaged ({fault}); remove it and get the image again") from fault
    if record.format > FORMAT:
        raise Invalid(f"{path} was written by a newer virtdeck")
    return record


def _replace(path: Path, data: bytes) -> None:
    temporary = path.with_name(f"{path.name}.{secrets.token_hex(4)}.new")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o644)
    try:
        os.write(descriptor, data)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    temporary.rename(path)


def _disk_usage(tree: Path) -> int:
    return sum(path.stat().st_blocks * 512 for path in tree.rglob("*") if path.is_file())


def _abandoned(folder: Path) -> bool:
    """True when no process holds the folder's lock any more."""
    with suppress(OSError):
        lock = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        finally:
            os.close(lock)
        return True
    return False
