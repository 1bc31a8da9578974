"""KubeVirt's own objects, and one of every kind with every field set, go in and come out unharmed.

Through ``kubectl apply`` and ``get``, and through a component that reads the typed object and patches its
status; a field that the component does not know survives.
"""

import json
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.contract.apiserver.running import Api, Running
from tests.unit.crds.whole import fitted, whole

from virtdeck.crds import kinds
from virtdeck.crds.kinds import CUSTOM, Kind, find_kind
from virtdeck.crds.manifests import crd_manifest, openapi_schema
from virtdeck.kube.client import open_client
from virtdeck.kube.kubeconfig import load_kubeconfig
from virtdeck.kube.objects import raw

Plain = dict[str, Any]

DATA = Path(__file__).parents[2] / "data" / "kubevirt"
NAMESPACE = "default"
CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"


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


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server with every kind, and with the cases in it."""
    found = Running(tmp_path_factory.mktemp("fields") / "state")
    found.start()
    api = found.api()
    api.eventually(f"/api/v1/namespaces/{NAMESPACE}")
    for kind in CUSTOM:
        api.made(CRDS, crd_manifest(kind))
    for kind in CUSTOM:
        api.eventually(f"/apis/{kind.api_version}/{kind.plural}")
    yield found
    assert found.stop() == 0


def _kept(case: Case) -> Plain:
    """The case as it is kept when it is made: a status that is a subresource is not a user's to write."""
    return {key: value for key, value in case.doc.items() if key != "status" or not case.has_status}


def _plain(found: Plain) -> Plain:
    """The object without what the server and kubectl write into its metadata."""
    meta = found["metadata"]
    kept = {"name": meta["name"], "labels": meta["labels"], "annotations": meta["annotations"]}
    kept["annotations"].pop("kubectl.kubernetes.io/last-applied-configuration", None)
    return found | {"metadata": kept}


@pytest.mark.kubectl
@pytest.mark.skipif(not shutil.which("kubectl"), reason="needs kubectl")
def test_kubectl_gets_what_it_applied(running: Running, tmp_path: Path) -> None:
    everything = tmp_path / "everything.json"
    items = [case.doc for case in CASES]
    everything.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))

    def kubectl(*arguments: str) -> str:
        command = ["kubectl", "--kubeconfig", str(running.kubeconfig()), *arguments]
        done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
        assert done.returncode == 0, done.stderr[:3000]
        return done.stdout

    told = kubectl("apply", "--validate=false", "-f", str(everything)).splitlines()
    assert [line.rsplit(" ", 1)[1] for line in told] == ["created"] * len(CASES)
    found = json.loads(kubectl("get", "-f", str(everything), "-o", "json"))["items"]
    assert len(found) == len(CASES)
    for case, item in zip(CASES, found, strict=True):
        assert _plain(item) == _kept(case)


def _stored(api: Api, case: Case) -> None:
    answer = api.get(case.path)
    if answer.code == 404:
        api.made(case.path.rpartition("/")[0], case.doc)


@pytest.mark.anyio
async def test_a_component_that_writes_the_status_loses_nothing(running: Running) -> None:
    api = running.api()
    async with open_client(load_kubeconfig(running.kubeconfig()), "component") as client:
        for case in [case for case in CASES if case.has_status and "status" in case.doc]:
            _stored(api, case)
            place = NAMESPACE if case.kind.namespaced else None
            typed = await client.require(case.kind, case.name, place)
            patch = {"metadata": {"resourceVersion": typed.metadata.resource_version}}
            await client.merge_patch(
                case.kind, case.name, place, {**patch, "status": case.doc["status"]}, "status"
            )
            found = await client.require(raw(case.kind), case.name, place)
            assert _plain(found) == case.doc


@pytest.mark.anyio
async def test_a_field_that_a_component_does_not_know_survives_it(running: Running) -> None:
    """The API of a later release knows it, this one's components do not."""
    api = running.api()
    later = crd_manifest(kinds.POOL)
    for version in later["spec"]["versions"]:
        fields = version["schema"]["openAPIV3Schema"]["properties"]
        fields["spec"]["properties"]["fromTheFuture"] = {"type": "string"}
        fields["status"]["properties"]["alsoNew"] = {"type": "string"}
    assert api.patch(f"{CRDS}/{later['metadata']['name']}", {"spec": later["spec"]}).code == 200
    case = next(case for case in CASES if case.kind is kinds.POOL)
    spec = case.doc["spec"] | {"fromTheFuture": "kept"}
    doc = case.doc | {"metadata": {"name": "later"}, "spec": spec}
    path = case.path.rpartition("/")[0]
    api.made(path, doc)
    assert api.patch(f"{path}/later/status", {"status": {"alsoNew": "kept"}}).code == 200
    async with open_client(load_kubeconfig(running.kubeconfig()), "component") as client:
        typed = await client.require(kinds.POOL, "later", NAMESPACE)
        assert typed.spec.replicas == spec["replicas"]
        await client.merge_patch(kinds.POOL, "later", NAMESPACE, {"status": {"replicas": 7}}, "status")
    found = api.get(f"{path}/later").body
    assert found["spec"] == spec
    assert found["status"] == {"alsoNew": "kept", "replicas": 7}


def test_every_kind_has_an_object_with_every_field() -> None:
    assert {case.kind.kind for case in CASES} == {kind.kind for kind in CUSTOM}
