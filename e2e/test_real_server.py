"""A real kube-apiserver takes our kinds as they are, and gives objects back as they went in.

Runs where the programs of ``e2e.cluster`` have been built: ``python -m e2e.cluster build``.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from e2e.cluster.control_plane import running_control_plane
from e2e.cluster.programs import cached_programs
from e2e.kubectls import INSTALLED, Kubectl
from e2e.product import until
from tests.contract.apiserver.every_field import CASES, kept, plain

from virtdeck.crds.kinds import CUSTOM
from virtdeck.crds.manifests import crd_manifest

pytestmark = [
    pytest.mark.kubectl,
    pytest.mark.timeout(240),
    pytest.mark.skipif(not cached_programs().are_there, reason="needs a built Kubernetes"),
]

CRD = "customresourcedefinitions.apiextensions.k8s.io"


@pytest.fixture(scope="module")
def kubectl(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kubectl]:
    """At a real API server that has every kind; it is older than CEL rules and leaves them out."""
    folder = tmp_path_factory.mktemp("real")
    with running_control_plane(folder / "plane") as plane:
        found = Kubectl(INSTALLED, plane.kubeconfig, folder)
        _apply(found, folder / "kinds.json", [crd_manifest(kind) for kind in CUSTOM])
        until(lambda: _conditions(found), lambda answers: all("Established" in one for one in answers), 30)
        yield found


def _apply(kubectl: Kubectl, file: Path, items: list[dict[str, Any]]) -> None:
    file.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
    kubectl("apply", "--validate=false", "-f", str(file))


def _conditions(kubectl: Kubectl) -> list[set[str]]:
    """What is true of each kind."""
    items = json.loads(kubectl("get", CRD, "-o", "json"))["items"]
    return [
        {one["type"] for one in item.get("status", {}).get("conditions", []) if one["status"] == "True"}
        for item in items
    ]


def test_every_schema_is_structural(kubectl: Kubectl) -> None:
    answers = _conditions(kubectl)
    assert len(answers) == len(CUSTOM)
    assert answers == [{"NamesAccepted", "Established"}] * len(CUSTOM)


def test_objects_with_every_field_come_back_as_they_went_in(kubectl: Kubectl, tmp_path: Path) -> None:
    everything = tmp_path / "everything.json"
    _apply(kubectl, everything, [case.doc for case in CASES])
    found = json.loads(kubectl("get", "-f", str(everything), "-o", "json"))["items"]
    for case, item in zip(CASES, found, strict=True):
        assert plain(item) == kept(case)
