"""Room kept on the disk for the day it is full, so that what stops and deletes can still be written."""

import os
from pathlib import Path

RESERVE_BYTES = 4 * 1024 * 1024


class Reserve:
    """A file beside the store that takes space until it is needed. ``released``: the disk was full since."""

    def __init__(self, store: Path) -> None:
        self.path = store.with_name(f"{store.name}.reserve")
        self.released = not self.refill()

    def refill(self) -> bool:
        """The room is taken again; False while the disk has not got it."""
        descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            os.posix_fallocate(descriptor, 0, RESERVE_BYTES)
        except OSError:
            os.ftruncate(descriptor, 0)
            return False
        finally:
            os.close(descriptor)
        self.released = False
        return True

    def release(self) -> bool:
        """The room is free for the store; False when it was before."""
        if self.released:
            return False
        os.truncate(self.path, 0)
        self.released = True
        return True
