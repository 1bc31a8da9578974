"""Which kernel modules a wish needs, in the order in which they are loaded."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from virtdeck.basis.errors import HostFault

_FIELD = re.compile(rb"\0(depends|alias|softdep)=([^\0]*)")


@dataclass(frozen=True)
class KernelModule:
    """One module file. needs: loaded before it. wants: such that may be built in. aliases: its devices."""

    name: str
    path: Path
    needs: tuple[str, ...]
    wants: tuple[str, ...]
    aliases: tuple[str, ...]


def read_modules(folder: Path) -> dict[str, KernelModule]:
    """All modules below the folder by name."""
    return {module.name: module for path in folder.rglob("*.ko") for module in [_read(path)]}


def closure(wanted: Iterable[str], modules: dict[str, KernelModule]) -> list[KernelModule]:
    """The wanted modules and all that they need, needs first; wanted names that are built in are left out.

    Raises: HostFault when a module that another needs was not unpacked.
    """
    ordered: dict[str, KernelModule] = {}

    def visit(name: str, needed_by: str = "") -> None:
        module = modules.get(_normal(name))
        if module is None and needed_by:
            raise HostFault(f"the kernel module {needed_by} needs {name}, which is not there")
        if module is None or module.name in ordered:
            return
        for need in module.needs:
            visit(need, module.name)
        for want in module.wants:
            visit(want)
        ordered[module.name] = module

    for name in wanted:
        visit(name)
    return list(ordered.values())


def dependency_lines(chosen: list[KernelModule], root: Path) -> str:
    """modules.dep as modprobe reads it, paths relative to ``root``."""
    by_name = {module.name: module for module in chosen}
    lines = []
    for module in chosen:
        first = closure((*module.needs, *module.wants), by_name)
        needs = " ".join(str(need.path.relative_to(root)) for need in reversed(first))
        lines.append(f"{module.path.relative_to(root)}: {needs}".rstrip())
    return "\n".join(lines) + "\n"


def alias_lines(chosen: list[KernelModule]) -> str:
    """modules.alias as modprobe reads it: which module drives which device."""
    return "".join(f"alias {alias} {module.name}\n" for module in chosen for alias in module.aliases)


def _read(path: Path) -> KernelModule:
    fields = [(key.decode(), value.decode()) for key, value in _FIELD.findall(path.read_bytes())]
    needs = [need for key, value in fields if key == "depends" for need in value.split(",") if need]
    soft = (
        value.removeprefix("pre:") for key, value in fields if key == "softdep" and value.startswith("pre:")
    )
    wants = [name for value in soft for name in value.partition("post:")[0].split()]
    aliases = tuple(value for key, value in fields if key == "alias")
    name = _normal(path.stem)
    return KernelModule(name, path, tuple(map(_normal, needs)), tuple(map(_normal, wants)), aliases)


def _normal(name: str) -> str:
    return name.replace("-", "_")
