"""A real Kubernetes takes the whole installation, and objects of our kinds with every field set."""

import http.client
import json
import os
import time
from collections.abc import Iterator
from typing import Any

import pytest
from e2e.cluster.programs import cached_programs
from tests.contract.apiserver.every_field import CASES, kept, plain
from tests.differential.answers import Answer, read_response, told
from tests.differential.servers import Server, real

from virtdeck.crds.kinds import CUSTOM
from virtdeck.install import Gateway, installation

pytestmark = pytest.mark.skipif(
    not (os.environ.get("CLUSTER") or cached_programs().are_there),
    reason="needs the programs of e2e.cluster, or CLUSTER=1 to build them",
)
# Served from 1.26 on; there a cluster's own API server enforces them.
NEWER_KINDS = ("ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding")
# Once they are there, virt-api must be as well.
LAST_KINDS = ("APIService", "MutatingWebhookConfiguration", "ValidatingWebhookConfiguration")


class Cluster:
    """The real server, asked as its administrator."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._places: dict[tuple[str, str], tuple[str, bool]] = {}
        ca = server.authority.own.crt.read_text()
        self.objects = [
            obj
            for obj in installation(Gateway(ca), node_names=("node1",), use_emulation=True)
            if obj["kind"] not in NEWER_KINDS
        ]

    def ask(self, method: str, path: str, body: Any = None) -> Answer:
        context = self._server.context("admin", ("system:masters",))
        connection = http.client.HTTPSConnection("127.0.0.1", self._server.port, context=context, timeout=30)
        try:
            data = None if body is None else json.dumps(body).encode()
            connection.request(method, path, data, {"Content-Type": "application/json"})
            return told(read_response(connection.getresponse()))
        finally:
            connection.close()

    def make(self, obj: Any) -> Answer:
        """The object is posted where its kind is served."""
        plural, namespaced = self._place(obj["apiVersion"], obj["kind"])
        namespace = obj["metadata"].get("namespace", "default")
        return self.ask(
            "POST", f"{_root(obj)}/{f'namespaces/{namespace}/' if namespaced else ''}{plural}", obj
        )

    def _place(self, version: str, kind: str) -> tuple[str, bool]:
        if (version, kind) not in self._places:
            listed = self.ask("GET", _root({"apiVersion": version}))["body"]["resources"]
            self._places |= {
                (version, one["kind"]): (one["name"], one["namespaced"])
                for one in listed
                if "/" not in one["name"]
            }
        return self._places[(version, kind)]


def _root(obj: Any) -> str:
    version = obj["apiVersion"]
    return f"/apis/{version}" if "/" in version else f"/api/{version}"


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with real(tmp_path_factory.mktemp("real")) as server:
        yield Cluster(server)


def refused(answers: dict[str, Answer]) -> dict[str, Any]:
    return {name: answer["body"] for name, answer in answers.items() if answer["code"] != 201}


def wait_served(cluster: Cluster) -> None:
    """Every kind of ours is established. Raises: AssertionError."""
    deadline = time.monotonic() + 30
    for kind in CUSTOM:
        while cluster.ask("GET", f"/apis/{kind.api_version}/{kind.plural}")["code"] != 200:
            assert time.monotonic() < deadline, kind
            time.sleep(0.1)


@pytest.mark.timeout(1200)
def test_installation_and_every_field_of_our_kinds_are_taken(cluster: Cluster) -> None:
    definitions = [obj for obj in cluster.objects if obj["kind"] == "CustomResourceDefinition"]
    assert refused({obj["metadata"]["name"]: cluster.make(obj) for obj in definitions}) == {}
    wait_served(cluster)
    rest = [obj for obj in cluster.objects if obj not in definitions and obj["kind"] not in LAST_KINDS]
    assert refused({f"{obj['kind']} {obj['metadata']['name']}": cluster.make(obj) for obj in rest}) == {}

    faults = {}
    for case in CASES:
        collection = case.path.rpartition("/")[0]
        for path in (f"{collection}?dryRun=All", collection):
            answer = cluster.ask("POST", path, case.doc)
            if answer["code"] != 201:
                faults[f"{case.kind.kind} {path}"] = answer["body"]
            elif plain(answer["body"]) != kept(case):
                faults[f"{case.kind.kind} {path}"] = "it came back changed"
    assert faults == {}

    last = [obj for obj in cluster.objects if obj["kind"] in LAST_KINDS]
    assert refused({f"{obj['kind']} {obj['metadata']['name']}": cluster.make(obj) for obj in last}) == {}
