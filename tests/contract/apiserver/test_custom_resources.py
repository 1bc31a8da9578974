"""CRDs: served at once, validated, pruned, defaulted, printed, with status and scale of their own."""

from typing import Any

import pytest
from tests.contract.apiserver.running import Api
from tests.contract.apiserver.test_apply import APPLY
from tests.contract.apiserver.test_managed_fields import owners

GROUP = "stable.example.com"
DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["spec"],
    "properties": {
        "spec": {
            "type": "object",
            "required": ["size"],
            "properties": {
                "size": {"type": "integer", "minimum": 1, "maximum": 10},
                "mode": {"type": "string", "enum": ["Fast", "Slow"], "default": "Slow"},
                "port": {"x-kubernetes-int-or-string": True},
                "replicas": {"type": "integer"},
                "name": {"type": "string", "pattern": "^[a-z]+$", "maxLength": 5},
                "free": {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
                "maybe": {"type": "string", "nullable": True},
                "disks": {
                    "type": "array",
                    "maxItems": 2,
                    "x-kubernetes-list-type": "map",
                    "x-kubernetes-list-map-keys": ["name"],
                    "items": {
                        "type": "object",
                        "required": ["name"],
                        "properties": {"name": {"type": "string"}, "gib": {"type": "integer"}},
                    },
                },
            },
        },
        "status": {
            "type": "object",
            "properties": {"phase": {"type": "string"}, "replicas": {"type": "integer"}},
        },
    },
}


def definition(plural: str, kind: str) -> dict[str, Any]:
    columns = [
        {"name": "Size", "type": "integer", "jsonPath": ".spec.size"},
        {"name": "First", "type": "string", "jsonPath": ".spec.disks[?(@.name=='root')].gib"},
        {"name": "Age", "type": "date", "jsonPath": ".metadata.creationTimestamp"},
    ]
    version = {
        "name": "v1",
        "served": True,
        "storage": True,
        "schema": {"openAPIV3Schema": SCHEMA},
        "subresources": {
            "status": {},
            "scale": {"specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas"},
        },
        "additionalPrinterColumns": columns,
    }
    older = {**version, "name": "v1alpha1", "storage": False, "deprecated": True}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{plural}.{GROUP}"},
        "spec": {
            "group": GROUP,
            "scope": "Namespaced",
            "names": {
                "plural": plural,
                "kind": kind,
                "shortNames": [f"{plural[0]}d"],
                "categories": ["all"],
            },
            "versions": [version, older],
        },
    }


@pytest.fixture(scope="session")
def defined(server: Any) -> None:
    server.api().made(DEFINITIONS, definition("widgets", "Widget"))


@pytest.fixture
def widgets(defined: None, namespace: str) -> str:
    return f"/apis/{GROUP}/v1/namespaces/{namespace}/widgets"


def widget(name: str, /, **spec: object) -> dict[str, Any]:
    return {
        "apiVersion": f"{GROUP}/v1",
        "kind": "Widget",
        "metadata": {"name": name},
        "spec": {"size": 1, **spec},
    }


def test_definition_is_established_and_discovered_at_once(api: Api, widgets: str) -> None:
    conditions = api.get(f"{DEFINITIONS}/widgets.{GROUP}").body["status"]["conditions"]
    assert {one["type"]: one["status"] for one in conditions} == {
        "NamesAccepted": "True",
        "Established": "True",
    }
    listed = api.get(f"/apis/{GROUP}/v1").body["resources"]
    assert [one["name"] for one in listed] == ["widgets", "widgets/scale", "widgets/status"]
    assert listed[0]["shortNames"] == ["wd"]


@pytest.mark.parametrize(
    ("spec", "field", "text"),
    [
        (
            {"size": 0},
            "spec.size",
            "Invalid value: 0: spec.size in body should be greater than or equal to 1",
        ),
        (
            {"size": 11},
            "spec.size",
            "Invalid value: 11: spec.size in body should be less than or equal to 10",
        ),
        (
            {"size": "x"},
            "spec.size",
            'Invalid value: "string": spec.size in body must be of type integer: "string"',
        ),
        ({"mode": "Odd"}, "spec.mode", 'Unsupported value: "Odd": supported values: "Fast", "Slow"'),
        ({"name": "A"}, "spec.name", "Invalid value: \"A\": spec.name in body should match '^[a-z]+$'"),
        ({"name": "abcdef"}, "spec.name", "Too long: may not be more than 5 bytes"),
        (
            {"port": True},
            "spec.port",
            'Invalid value: "boolean": spec.port in body must be of type integer,string: "boolean"',
        ),
        ({"disks": [{}]}, "spec.disks[0].name", "Required value"),
        ({"disks": [{"name": "a"}, {"name": "a"}]}, "spec.disks[1]", 'Duplicate value: {"name":"a"}'),
        ({"disks": [{"name": n} for n in "abc"]}, "spec.disks", "Too many: 3: must have at most 2 items"),
    ],
)
def test_invalid_field_is_named_with_its_reason(
    api: Api, widgets: str, spec: Any, field: str, text: str
) -> None:
    answer = api.post(widgets, widget("w", **spec))
    assert answer.code == 422
    assert (answer.body["details"]["causes"][0]["field"], answer.body["details"]["causes"][0]["message"]) == (
        field,
        text,
    )
    assert answer.body["message"] == f'Widget.{GROUP} "w" is invalid: {field}: {text}'


def test_every_fault_is_told_at_once(api: Api, widgets: str) -> None:
    answer = api.post(widgets, widget("w", size=0, mode="Odd"))
    assert len(answer.body["details"]["causes"]) == 2
    assert answer.body["message"].startswith(f'Widget.{GROUP} "w" is invalid: [spec.size: ')


def test_missing_required_field(api: Api, widgets: str) -> None:
    body = widget("w")
    del body["spec"]["size"]
    assert api.post(widgets, body).body["details"]["causes"][0] == {
        "reason": "FieldValueRequired", "message": "Required value", "field": "spec.size",
    }  # fmt: skip


def test_unknown_fields_are_pruned_except_where_kept(api: Api, widgets: str) -> None:
    made = api.made(widgets, widget("w", odd=1, free={"any": {"thing": 1}}, maybe=None))
    assert made["spec"] == {"size": 1, "mode": "Slow", "free": {"any": {"thing": 1}}, "maybe": None}


def test_strict_validation_names_unknown_fields(api: Api, widgets: str) -> None:
    answer = api.post(f"{widgets}?fieldValidation=Strict", widget("w", odd=1, disks=[{"name": "a", "x": 1}]))
    assert answer.code == 400
    assert 'unknown field "spec.odd", unknown field "spec.disks[0].x"' in answer.body["message"]


def test_status_is_written_only_through_its_subresource(api: Api, widgets: str) -> None:
    made = api.made(widgets, {**widget("w"), "status": {"phase": "Lies"}})
    assert "status" not in made
    assert made["metadata"]["generation"] == 1
    changed = api.patch(f"{widgets}/w/status", {"status": {"phase": "True"}, "spec": {"size": 5}}).body
    assert (changed["status"], changed["spec"]["size"]) == ({"phase": "True"}, 1)
    assert changed["metadata"]["generation"] == 1
    again = api.patch(f"{widgets}/w", {"status": {"phase": "Lies"}, "spec": {"size": 6}}).body
    assert (again["status"], again["metadata"]["generation"]) == ({"phase": "True"}, 2)


def test_scale_reads_and_writes_replicas(api: Api, widgets: str) -> None:
    api.made(widgets, widget("w", replicas=2))
    assert api.get(f"{widgets}/w/scale").body["spec"] == {"replicas": 2}
    assert api.patch(f"{widgets}/w/scale", {"spec": {"replicas": 4}}).body["spec"] == {"replicas": 4}
    assert api.get(f"{widgets}/w").body["spec"]["replicas"] == 4


def test_other_version_shows_the_same_object_with_a_warning(api: Api, widgets: str) -> None:
    older = widgets.replace("/v1/", "/v1alpha1/")
    answer = api.post(older, {**widget("w"), "apiVersion": f"{GROUP}/v1alpha1"})
    assert answer.code == 201
    assert f"{GROUP}/v1alpha1 Widget is deprecated" in answer.warnings[0]
    assert api.get(f"{older}/w").body["apiVersion"] == f"{GROUP}/v1alpha1"
    assert api.get(f"{widgets}/w").body["apiVersion"] == f"{GROUP}/v1"


def test_update_needs_a_resource_version(api: Api, widgets: str) -> None:
    api.made(widgets, widget("w"))
    answer = api.put(f"{widgets}/w", widget("w", size=2))
    assert answer.code == 422
    assert answer.body["details"]["causes"][0]["field"] == "metadata.resourceVersion"


def test_columns_come_from_the_definition(api: Api, widgets: str) -> None:
    api.made(widgets, widget("w", disks=[{"name": "root", "gib": 7}]))
    table = api.get(widgets, Accept="application/json;as=Table;v=v1;g=meta.k8s.io").body
    assert [one["name"] for one in table["columnDefinitions"]] == ["Name", "Size", "First", "Age"]
    assert table["rows"][0]["cells"][:3] == ["w", 1, "7"]


def test_strategic_merge_is_refused_for_custom_kinds(api: Api, widgets: str) -> None:
    api.made(widgets, widget("w"))
    assert api.patch(f"{widgets}/w", {}, "application/strategic-merge-patch+json").code == 415


def test_definition_that_goes_takes_its_objects_with_it(api: Api, namespace: str) -> None:
    api.made(DEFINITIONS, definition("gadgets", "Gadget"))
    path = f"/apis/{GROUP}/v1/namespaces/{namespace}/gadgets"
    api.made(path, {**widget("g"), "kind": "Gadget"})
    assert "deletionTimestamp" in api.delete(f"{DEFINITIONS}/gadgets.{GROUP}").body["metadata"]
    api.eventually(f"{DEFINITIONS}/gadgets.{GROUP}", 404)
    assert api.get(path).code == 404


def test_schema_that_is_not_structural_is_refused(api: Api) -> None:
    bad = definition("odds", "Odd")
    bad["spec"]["versions"][0]["schema"]["openAPIV3Schema"] = {"type": "object", "properties": {"spec": {}}}
    answer = api.post(DEFINITIONS, bad)
    assert answer.code == 422
    field = "spec.versions[0].schema.openAPIV3Schema.properties[spec].type"
    assert field in [cause["field"] for cause in answer.body["details"]["causes"]]


def test_scale_owns_replicas_alone(api: Api, widgets: str) -> None:
    api.made(f"{widgets}?fieldManager=maker", widget("w", replicas=1))
    api.patch(f"{widgets}/w/scale?fieldManager=scaler", {"spec": {"replicas": 3}})
    found = owners(api.get(f"{widgets}/w").body)
    assert found[("scaler", "Update", "scale")] == {"f:spec": {"f:replicas": {}}}
    assert found[("maker", "Update", "")] == {"f:spec": {".": {}, "f:mode": {}, "f:size": {}}}
    scale = {"apiVersion": "autoscaling/v1", "kind": "Scale", "spec": {"replicas": 5}}
    refused = api.patch(f"{widgets}/w/scale?fieldManager=other", scale, APPLY)
    assert refused.body["details"]["causes"][0]["message"] == (
        f'conflict with "scaler" with subresource "scale" using {GROUP}/v1'
    )
    forced = api.patch(f"{widgets}/w/scale?fieldManager=other&force=true", scale, APPLY)
    assert forced.body["spec"] == {"replicas": 5}
    assert owners(api.get(f"{widgets}/w").body)[("other", "Apply", "scale")] == {"f:spec": {"f:replicas": {}}}


def test_scale_is_bound_to_the_version_that_it_names(api: Api, widgets: str) -> None:
    api.made(widgets, widget("w", replicas=1))
    read = api.get(f"{widgets}/w/scale").body
    assert api.put(f"{widgets}/w/scale", {**read, "spec": {"replicas": 2}}).code == 200
    assert api.put(f"{widgets}/w/scale", {**read, "spec": {"replicas": 3}}).code == 409
    read["metadata"].pop("resourceVersion")
    assert api.put(f"{widgets}/w/scale", {**read, "spec": {"replicas": 3}}).code == 200
    assert api.get(f"{widgets}/w").body["spec"] == {"size": 1, "mode": "Slow", "replicas": 3}
