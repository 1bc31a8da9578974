"""What the store notes about an image."""

import msgspec

FORMAT = 1


class ImageRecord(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """One name in the store.

    digest: of the manifest for pulled images, of the content for others. size: bytes on disk.
    source: where it came from, for people. local: made or imported here, so no registry knows it.
    remote_digest: of what the registry answered to the name, to see later whether it means the same still.
    """

    name: str
    digest: str
    size: int
    created: str
    source: str
    local: bool = False
    remote_digest: str = ""
    format: int = FORMAT


class ImageTree(msgspec.Struct, frozen=True, kw_only=True):
    """An image's files, ready to be mounted read-only at once; ``path`` is absolute."""

    record: ImageRecord
    path: str
