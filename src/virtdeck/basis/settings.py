"""Reads one process's settings from its JSON file into a frozen dataclass."""

import os
from pathlib import Path
from typing import TypeVar

import msgspec

from virtdeck.basis.errors import Cause, Invalid

T = TypeVar("T")


def load_settings(kind: type[T], path: str | os.PathLike[str]) -> T:
    """The settings in the file, every field checked against the dataclass.

    Raises: Invalid, naming the file and the field.
    """
    try:
        return msgspec.json.decode(Path(path).read_bytes(), type=kind)
    except OSError as fault:
        raise Invalid(f"settings file {path} cannot be read: {fault.strerror}") from fault
    except msgspec.DecodeError as fault:
        raise Invalid(f"settings file {path}: {fault}", causes=(Cause("$", str(fault)),)) from fault
