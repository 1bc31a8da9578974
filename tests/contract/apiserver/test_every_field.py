"""KubeVirt's own objects, and one of every kind with every field set, go in and come out unharmed.

Through ``kubectl apply`` and ``get``, and through a component that reads the typed object and patches its
status; a field that the component does not know survives.
"""

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.contract.apiserver.every_field import CASES, NAMESPACE, Case, kept, plain
from tests.contract.apiserver.running import Api, Running

from virtdeck.crds import kinds
from virtdeck.crds.kinds import CUSTOM
from virtdeck.crds.manifests import crd_manifest
from virtdeck.kube.client import open_client
from virtdeck.kube.kubeconfig import load_kubeconfig
from virtdeck.kube.objects import raw

CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"


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
        assert plain(item) == kept(case)


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
            assert plain(found) == case.doc


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
