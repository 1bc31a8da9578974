"""``virtdeck image``: the local image store."""

import argparse
from pathlib import Path

from virtdeck.standalone.cli.words import answer, say
from virtdeck.standalone.demo import image_store
from virtdeck.standalone.images.records import ImageRecord
from virtdeck.standalone.images.store import ImageStore
from virtdeck.standalone.state import open_state


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """One sub-command an action."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    actions.add_parser("ls", help="list the images")
    pull = actions.add_parser(
        "pull", help="fetch an image from a registry, oci:FOLDER or docker-archive:FILE"
    )
    pull.add_argument("reference", metavar="REF")
    pull.add_argument("--name", help="keep it under this name")
    imported = actions.add_parser("import", help="make an image of a qcow2 or raw disk file")
    imported.add_argument("file", type=Path, metavar="FILE")
    imported.add_argument("name", metavar="NAME")
    remove = actions.add_parser("rm", help="remove an image; running machines keep theirs")
    remove.add_argument("name", metavar="NAME")
    actions.add_parser("build-demo", help="build the demo images anew from Debian packages")
    for action in actions.choices.values():
        # Behind the action as well, where people look for it.
        action.add_argument("--state", type=Path, default=argparse.SUPPRESS, help=argparse.SUPPRESS)


def run(options: argparse.Namespace) -> int:
    """Do one action on the store."""
    store = image_store(open_state(options.state.absolute()))
    if options.action == "ls":
        return list_images(store)
    for record in act(store, options):
        answer(f"{record.name}  {record.digest}  {megabytes(record.size)}")
    return 0


def act(store: ImageStore, options: argparse.Namespace) -> list[ImageRecord]:
    """The images that the action concerned. Imports stay here: each action needs only its own."""
    if options.action == "pull":
        from virtdeck.standalone.images.pull import pull

        return [pull(store, options.reference, say, name=options.name)]
    if options.action == "import":
        from virtdeck.standalone.images.importing import import_disk

        return [import_disk(store, options.file, options.name, say)]
    if options.action == "rm":
        return [store.remove(options.name)]
    from virtdeck.standalone.images.demo.images import build_demo

    return build_demo(store, say)


def list_images(store: ImageStore) -> int:
    """A table of the images, for people."""
    records = sorted(store.all(), key=lambda record: record.name)
    rows = [("NAME", "DIGEST", "SIZE", "CREATED", "SOURCE")]
    rows += [(r.name, r.digest[:19], megabytes(r.size), r.created, r.source) for r in records]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
        answer("  ".join([*cells, row[4]]).rstrip())
    return 0


def megabytes(size: int) -> str:
    """Bytes as people read them."""
    return f"{size / 2**20:.1f} MiB"
