"""The images of the local store, as its notes list them."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import orjson

from virtdeck.gateway.console.views.machine import size, when

NOTES = "names"
LONGEST_NOTE = 64 << 10
DEMO = "virtdeck/demo:latest"


@dataclass(frozen=True)
class ImageView:
    """One image of the store: what it is called and where it came from."""

    name: str
    digest: str
    size: str
    source: str
    created: datetime | None


@dataclass(frozen=True)
class ImageList:
    """The store as far as it can be seen. why_not: "elsewhere", "unreadable", or empty."""

    images: tuple[ImageView, ...]
    why_not: str = ""

    @property
    def suggested(self) -> str:
        """The image to begin with: the one for trying things out, else the only one there is."""
        names = [image.name for image in self.images]
        return DEMO if DEMO in names else names[0] if len(names) == 1 else ""


def image_list(folder: Path | None) -> ImageList:
    """The images that the store's folder notes; a store that was never written is an empty one."""
    if folder is None:
        return ImageList((), "elsewhere")
    try:
        views = tuple(_views(folder / NOTES))
    except OSError:
        return ImageList((), "unreadable")
    return ImageList(tuple(sorted(views, key=lambda view: view.name)))


def _views(folder: Path) -> Iterator[ImageView]:
    for path in folder.glob("*.json"):
        try:
            note = orjson.loads(path.read_bytes()[:LONGEST_NOTE])
        except (FileNotFoundError, ValueError):
            continue
        if isinstance(note, dict) and note.get("name"):
            yield _view(note)


def _view(note: dict[str, Any]) -> ImageView:
    amount = note.get("size")
    return ImageView(
        name=str(note["name"]),
        digest=str(note.get("digest", "")),
        size=size(amount) if isinstance(amount, int) and amount >= 0 else "",
        source=str(note.get("source", "")),
        created=when(str(note.get("created", ""))),
    )
