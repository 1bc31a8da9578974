"""One object of every kind with every field set, and KubeVirt's own, ready for a server."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from tests.unit.crds.whole import fitted, whole

from virtdeck.crds.kinds import CUSTOM, Kind, find_kind
from virtdeck.crds.manifests import openapi_schema

Plain = dict[str, Any]

DATA = Path(__file__).parents[2] / "data" / "kubevirt"
NAMESPACE = "default"


@dataclass(frozen=True)
class Case:
    """One object, with a name of its own."""

    kind: Kind[Any]
    doc: Plain

    @property
    def name(self) -> str:
        return str(self.doc["metadata"]["name"])

    @property
    def path(self) -> str:
        place = f"namespaces/{NAMESPACE}/" if self.kind.namespaced else ""
        return f"/apis/{self.kind.api_version}/{place}{self.kind.plural}/{self.name}"

    @property
    def has_status(self) -> bool:
        return "status" in self.kind.subresources


def _documents() -> Iterator[tuple[str, Plain]]:
    for path in sorted(DATA.glob("*/*.yaml")):
        for doc in yaml.safe_load_all(path.read_text()):
            if doc and find_kind(doc["apiVersion"], doc["kind"]) in CUSTOM:
                yield path.parent.name, doc


def _cases() -> list[Case]:
    found = []
    filled = set()
    for folder, doc in _documents():
        kind = find_kind(doc["apiVersion"], doc["kind"])
        assert kind is not None
        if folder == "api-fixtures":
            filled.add(kind.kind)
        found.append(Case(kind, fitted(doc, openapi_schema(kind))))
    for kind in CUSTOM:
        if kind.kind not in filled:
            doc = whole(openapi_schema(kind)) | {"apiVersion": kind.api_version, "kind": kind.kind}
            found.append(Case(kind, doc))
    for number, case in enumerate(found):
        case.doc["metadata"] = {"name": f"case-{number}", "labels": {"a": "b"}, "annotations": {"c": "d"}}
    return found


CASES = _cases()


def kept(case: Case) -> Plain:
    """The case as it is kept when it is made: a status that is a subresource is not a user's to write."""
    return {key: value for key, value in case.doc.items() if key != "status" or not case.has_status}


def plain(found: Plain) -> Plain:
    """The object without what the server and kubectl write into its metadata."""
    meta = found["metadata"]
    kept = {"name": meta["name"], "labels": meta["labels"], "annotations": meta["annotations"]}
    kept["annotations"].pop("kubectl.kubernetes.io/last-applied-configuration", None)
    return found | {"metadata": kept}
