"""Writes the YAML files beside this module: ``python -m virtdeck.crds.manifests``."""

from pathlib import Path
from typing import Any

import yaml

from virtdeck.crds.kinds import CUSTOM, Kind
from virtdeck.crds.manifests.crd import crd_manifest


def main() -> None:
    """Each custom kind's manifest is on disk as its type says."""
    for kind in CUSTOM:
        path(kind).write_text(text(kind), encoding="utf-8")


def path(kind: Kind[Any]) -> Path:
    """Where a kind's manifest lies."""
    return Path(__file__).with_name(f"{kind.plural}.{kind.group}.yaml")


def text(kind: Kind[Any]) -> str:
    """A kind's manifest as YAML."""
    head = "# Made from the types by: python -m virtdeck.crds.manifests\n"
    return head + yaml.dump(
        crd_manifest(kind), Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=110, indent=1
    )


class _Dumper(yaml.CSafeDumper):
    """Spells repeated values out: Kubernetes' readers know anchors, but people do not expect them."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


if __name__ == "__main__":
    main()
