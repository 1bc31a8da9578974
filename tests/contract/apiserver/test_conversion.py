"""Objects of a CRD whose versions have different fields, converted by its webhook wherever they are seen."""

import base64
import itertools
from collections.abc import Iterator
from typing import Any

import pytest
from tests.contract.apiserver.extension import Extension
from tests.contract.apiserver.running import Api, Running

GROUP = "conv.example.com"
DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io"
_count = itertools.count()
Obj = dict[str, Any]


def converted(obj: Obj, wanted: str) -> Obj:
    """v1 says ``size: 3x4``, v2 ``width`` and ``height``."""
    spec = dict(obj.get("spec") or {})
    if wanted.endswith("/v2") and "size" in spec:
        width, _, height = spec.pop("size").partition("x")
        spec |= {"width": int(width), "height": int(height)}
    elif wanted.endswith("/v1") and "width" in spec:
        spec["size"] = f"{spec.pop('width')}x{spec.pop('height')}"
    return {**obj, "apiVersion": wanted, "spec": spec}


def answer(request: Obj) -> Obj:
    made = [converted(obj, request["desiredAPIVersion"]) for obj in request["objects"]]
    return {"result": {"status": "Success"}, "convertedObjects": made}


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Running, Extension]]:
    root = tmp_path_factory.mktemp("converted")
    extension = Extension(Running(root).state)
    running = Running(root, service_resolver={"virt-api.kubevirt": extension.address})
    running.start()
    yield running, extension
    running.kill()
    extension.close()


class Boxes:
    """A CRD with two versions, v2 the stored one, and its objects in a namespace."""

    def __init__(self, pair: tuple[Running, Extension]) -> None:
        running, self.extension = pair
        self.api: Api = running.api()
        ca = base64.b64encode(running.state.path("pki", "component-ca.crt").read_bytes()).decode()
        self.plural = f"boxes{next(_count)}x"
        self.extension.verdicts[f"/{self.plural}"] = answer
        service = {"namespace": "kubevirt", "name": "virt-api", "path": f"/{self.plural}"}
        webhook = {"clientConfig": {"service": service, "caBundle": ca}, "conversionReviewVersions": ["v1"]}
        number = {"type": "integer"}
        fields = {"v1": {"size": {"type": "string"}}, "v2": {"width": number, "height": number}}
        selectable = {"v1": [{"jsonPath": ".spec.size"}], "v2": [{"jsonPath": ".spec.width"}]}
        versions = [
            {
                "name": name,
                "served": True,
                "storage": name == "v2",
                "selectableFields": selectable[name],
                "additionalPrinterColumns": [
                    {"name": "First", "type": "string", "jsonPath": selectable[name][0]["jsonPath"]}
                ],
                "schema": {
                    "openAPIV3Schema": {
                        "type": "object",
                        "properties": {"spec": {"type": "object", "properties": properties}},
                    }
                },
            }
            for name, properties in fields.items()
        ]
        spec = {
            "group": GROUP,
            "scope": "Namespaced",
            "names": {"plural": self.plural, "kind": f"K{self.plural}"},
            "versions": versions,
            "conversion": {"strategy": "Webhook", "webhook": webhook},
        }
        self.api.made(DEFINITIONS, {"metadata": {"name": f"{self.plural}.{GROUP}"}, "spec": spec})
        made = self.api.made("/api/v1/namespaces", {"metadata": {"generateName": "c-"}})
        self.namespace = made["metadata"]["name"]

    def path(self, version: str, name: str = "") -> str:
        path = f"/apis/{GROUP}/{version}/namespaces/{self.namespace}/{self.plural}"
        return f"{path}/{name}" if name else path

    def box(self, version: str, name: str, **spec: Any) -> Obj:
        kind = f"K{self.plural}"
        return {"apiVersion": f"{GROUP}/{version}", "kind": kind, "metadata": {"name": name}, "spec": spec}

    def make(self, version: str, name: str, **spec: Any) -> Obj:
        return self.api.made(self.path(version), self.box(version, name, **spec))


@pytest.fixture
def boxes(pair: tuple[Running, Extension]) -> Boxes:
    return Boxes(pair)


def test_object_is_read_and_written_in_both_versions(boxes: Boxes) -> None:
    made = boxes.make("v1", "a", size="3x4")
    assert (made["apiVersion"], made["spec"]) == (f"{GROUP}/v1", {"size": "3x4"})
    newer = boxes.api.get(boxes.path("v2", "a")).body
    assert (newer["apiVersion"], newer["spec"]) == (f"{GROUP}/v2", {"width": 3, "height": 4})
    assert newer["metadata"]["resourceVersion"] == made["metadata"]["resourceVersion"]
    patched = boxes.api.patch(boxes.path("v1", "a"), {"spec": {"size": "5x6"}})
    assert patched.code == 200, patched.raw
    assert patched.body["spec"] == {"size": "5x6"}
    assert boxes.api.get(boxes.path("v2", "a")).body["spec"] == {"width": 5, "height": 6}
    newer = boxes.api.get(boxes.path("v2", "a")).body
    newer["spec"]["width"] = 9
    assert boxes.api.put(boxes.path("v2", "a"), newer).code == 200
    assert boxes.api.get(boxes.path("v1", "a")).body["spec"] == {"size": "9x6"}


def test_lists_tables_and_selectors_are_of_the_version_that_is_asked_for(boxes: Boxes) -> None:
    for number in range(3):
        boxes.make("v2", f"n{number}", width=number, height=1)
    items = boxes.api.get(boxes.path("v1")).body["items"]
    assert [item["spec"]["size"] for item in items] == ["0x1", "1x1", "2x1"]
    table = boxes.api.get(boxes.path("v1"), Accept=TABLE).body
    assert [row["cells"][1] for row in table["rows"]] == ["0x1", "1x1", "2x1"]
    chosen = boxes.api.get(f"{boxes.path('v1')}?fieldSelector=spec.size%3D1x1").body["items"]
    assert [item["metadata"]["name"] for item in chosen] == ["n1"]
    page = boxes.api.get(f"{boxes.path('v1')}?limit=2").body
    rest = boxes.api.get(f"{boxes.path('v1')}?limit=2&continue={page['metadata']['continue']}").body
    assert [item["spec"]["size"] for item in rest["items"]] == ["2x1"]


def test_watch_shows_every_change_in_its_version(boxes: Boxes) -> None:
    boxes.make("v2", "a", width=1, height=1)
    with boxes.api.watch(f"{boxes.path('v1')}?resourceVersion=0") as events:
        assert next(events)["object"]["spec"] == {"size": "1x1"}
        boxes.api.patch(boxes.path("v2", "a"), {"spec": {"width": 2}})
        assert next(events)["object"]["spec"] == {"size": "2x1"}
        gone = boxes.api.delete(boxes.path("v1", "a"))
        assert gone.code == 200
        last = next(events)
        assert (last["type"], last["object"]["spec"]) == ("DELETED", {"size": "2x1"})


def test_watch_ends_with_an_error_when_the_webhook_fails(boxes: Boxes) -> None:
    boxes.make("v2", "a", width=1, height=1)
    with boxes.api.watch(f"{boxes.path('v1')}?resourceVersion=0") as events:
        assert next(events)["type"] == "ADDED"
        boxes.extension.verdicts[f"/{boxes.plural}"] = lambda _request: {}
        boxes.api.patch(boxes.path("v2", "a"), {"spec": {"width": 2}})
        assert next(events)["type"] == "ERROR"
        assert next(events, None) is None


def test_object_that_waits_for_a_finalizer_is_answered_in_the_version_of_the_request(boxes: Boxes) -> None:
    held = boxes.box("v1", "a", size="1x2")
    held["metadata"]["finalizers"] = ["example.com/wait"]
    boxes.api.made(boxes.path("v1"), held)
    marked = boxes.api.delete(boxes.path("v1", "a")).body
    assert marked["spec"] == {"size": "1x2"}
    assert "deletionTimestamp" in boxes.api.get(boxes.path("v2", "a")).body["metadata"]
    assert boxes.api.patch(boxes.path("v1", "a"), {"metadata": {"finalizers": None}}).code == 200
    boxes.api.eventually(boxes.path("v2", "a"), 404)


def test_validation_is_by_the_schema_of_the_version_that_was_sent(boxes: Boxes) -> None:
    answer = boxes.api.post(boxes.path("v1"), boxes.box("v1", "a", size=5))
    assert (answer.code, answer.body["details"]["causes"][0]["field"]) == (422, "spec.size")


BROKEN: dict[str, Any] = {
    "says no": {"result": {"status": "Failure", "message": "cannot do it"}},
    "too few": {"result": {"status": "Success"}, "convertedObjects": []},
    "wrong uid": {"uid": "x", "result": {"status": "Success"}, "convertedObjects": []},
    "nothing": {},
    "no object": {"result": {"status": "Success"}, "convertedObjects": ["text"]},
}


@pytest.mark.parametrize("name", [*BROKEN])
def test_webhook_that_fails_fails_what_needs_it_and_nothing_else(boxes: Boxes, name: str) -> None:
    boxes.make("v2", "a", width=1, height=1)
    boxes.extension.verdicts[f"/{boxes.plural}"] = lambda _request: BROKEN[name]
    failed = boxes.api.get(boxes.path("v1", "a"))
    assert (failed.code, failed.body["reason"]) == (500, "InternalError")
    assert f"conversion webhook for {GROUP}/v2, Kind=K{boxes.plural} failed" in failed.body["message"]
    assert boxes.api.get(boxes.path("v1")).code == 500
    assert boxes.api.post(boxes.path("v1"), boxes.box("v1", "b", size="1x1")).code == 500
    assert boxes.api.get(boxes.path("v2", "a")).code == 200
    assert boxes.api.delete(boxes.path("v2", "a")).code == 200


@pytest.mark.parametrize("field", ["name", "uid", "kind"])
def test_webhook_cannot_make_another_object_of_it(boxes: Boxes, field: str) -> None:
    boxes.make("v2", "a", width=1, height=1)

    def other(request: Obj) -> Obj:
        found = answer(request)
        for made in found["convertedObjects"]:
            made["metadata"] = dict(made["metadata"])
            (made if field == "kind" else made["metadata"])[field] = "other"
        return found

    boxes.extension.verdicts[f"/{boxes.plural}"] = other
    assert boxes.api.get(boxes.path("v1", "a")).code == 500


def test_webhook_changes_labels_and_no_other_metadata(boxes: Boxes) -> None:
    boxes.make("v2", "a", width=1, height=1)

    def relabelled(request: Obj) -> Obj:
        found = answer(request)
        for made in found["convertedObjects"]:
            made["metadata"] = {**made["metadata"], "labels": {"seen": "yes"}, "generation": 77}
        return found

    boxes.extension.verdicts[f"/{boxes.plural}"] = relabelled
    meta = boxes.api.get(boxes.path("v1", "a")).body["metadata"]
    assert (meta["labels"], meta["generation"]) == ({"seen": "yes"}, 1)
