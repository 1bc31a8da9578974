"""CRDs themselves: what they must be like, their names and conditions, their versions, how they go."""

import itertools
import time
from typing import Any

import pytest
from tests.contract.apiserver.running import Api

DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
GROUP = "defs.example.com"
_count = itertools.count()
TEXT, INT = {"type": "string"}, {"type": "integer"}


def definition(spec: dict[str, Any] | None = None, group: str = GROUP, **names: Any) -> dict[str, Any]:
    plural = names.get("plural") or f"defs{next(_count)}x"
    schema = {"type": "object", "properties": {"spec": spec or {"type": "object", "properties": {"a": INT}}}}
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{plural}.{group}"},
        "spec": {
            "group": group,
            "scope": "Namespaced",
            "names": {"plural": plural, "kind": f"K{plural}", **names},
            "versions": [version],
        },
    }


def named(given: dict[str, Any]) -> str:
    return f"{DEFINITIONS}/{given['metadata']['name']}"


def place(given: dict[str, Any], namespace: str, version: str = "v1") -> str:
    return (
        f"/apis/{given['spec']['group']}/{version}/namespaces/{namespace}/{given['spec']['names']['plural']}"
    )


def thing(given: dict[str, Any], name: str, version: str = "v1", **fields: Any) -> dict[str, Any]:
    kind, group = given["spec"]["names"]["kind"], given["spec"]["group"]
    return {"apiVersion": f"{group}/{version}", "kind": kind, "metadata": {"name": name}, **fields}


def conditions(api: Api, given: dict[str, Any]) -> dict[str, str]:
    found = api.get(named(given)).body["status"].get("conditions") or []
    return {one["type"]: f"{one['status']} {one['reason']}" for one in found}


def eventually(api: Api, given: dict[str, Any], kind: str, wanted: str) -> None:
    end = time.monotonic() + 5
    while conditions(api, given).get(kind) != wanted:
        assert time.monotonic() < end, conditions(api, given)
        time.sleep(0.02)


BAD_SCHEMAS: list[tuple[dict[str, Any], str, str]] = [
    ({"properties": {"a": INT}}, ".type", "must not be empty for specified object fields"),
    ({"type": "planet"}, ".type", "Unsupported value"),
    ({"type": "object", "properties": {"a": INT}, "additionalProperties": TEXT}, "", "mutual exclusive"),
    ({"type": "object", "additionalProperties": False}, "", "cannot be set to false"),
    ({"type": "array", "items": TEXT, "uniqueItems": True}, ".uniqueItems", "cannot be set to true"),
    ({"type": "array"}, ".items", "Required value"),
    ({"type": "array", "items": {}}, ".items.type", "must not be empty for specified array items"),
    ({"type": "object", "$ref": "#/x"}, ".$ref", "is not supported"),
    ({"type": "string", "pattern": "("}, ".pattern", "must be a valid regular expression"),
    ({"type": "string", "default": 5}, ".default", "must be of type string"),
    (
        {"type": "object", "properties": {"a": INT}, "default": {"b": 1}},
        ".default",
        "must not have unknown fields",
    ),
    ({"type": "integer", "x-kubernetes-int-or-string": True}, ".type", "must be empty if"),
    ({"type": "array", "items": TEXT, "x-kubernetes-list-type": "bag"}, "", "Unsupported value"),
    ({"type": "array", "items": TEXT, "x-kubernetes-list-type": "map"}, "", "must not be empty if"),
    (
        {
            "type": "array",
            "items": {"type": "object", "properties": {"a": TEXT}},
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["a"],
        },
        ".items.properties[a].default",
        "Required value",
    ),
    (
        {"type": "array", "items": {"type": "object"}, "x-kubernetes-list-type": "set"},
        ".items",
        "must be atomic as item",
    ),
    ({"type": "string", "x-kubernetes-map-type": "atomic"}, ".type", "must be object if"),
    ({"type": "string", "x-kubernetes-preserve-unknown-fields": True}, ".type", "must be object if"),
    ({"type": "object", "x-kubernetes-preserve-unknown-fields": False}, "", "must be true or undefined"),
    ({"type": "object", "x-kubernetes-embedded-resource": True}, ".properties", "Required value"),
    (
        {"type": "object", "properties": {"a": INT}, "allOf": [{"type": "object"}]},
        ".allOf[0].type",
        "structural",
    ),
    (
        {"type": "object", "properties": {"a": INT}, "anyOf": [{"properties": {"a": {"default": 1}}}]},
        "",
        "structural",
    ),
    ({"type": "object", "not": {"properties": {"zz": {"minimum": 1}}}}, "", "because it is defined in"),
]


@pytest.mark.parametrize(("spec", "field", "text"), BAD_SCHEMAS)
def test_schema_that_is_not_structural_is_refused_by_field(
    api: Api, spec: dict[str, Any], field: str, text: str
) -> None:
    answer = api.post(DEFINITIONS, definition(spec))
    assert answer.code == 422, answer.raw
    found = [one for one in answer.body["details"]["causes"] if text in one["message"]]
    assert found, answer.body["details"]["causes"]
    assert found[0]["field"].endswith(field)


def test_number_or_text_may_be_said_in_both_ways(api: Api) -> None:
    either = {"anyOf": [{"type": "integer"}, {"type": "string"}], "x-kubernetes-int-or-string": True}
    assert api.post(DEFINITIONS, definition({"type": "object", "properties": {"port": either}})).code == 201


def changed(path: list[Any], value: Any) -> dict[str, Any]:
    given = definition()
    target: Any = given
    for step in path[:-1]:
        target = target[step]
    target[path[-1]] = value
    return given


VERSION = ["spec", "versions", 0]


@pytest.mark.parametrize(
    ("path", "value", "field"),
    [
        (["metadata", "name"], "other.example.com", "metadata.name"),
        (["spec", "scope"], "Galaxy", "spec.scope"),
        (["spec", "versions"], [], "spec.versions"),
        ([*VERSION, "storage"], False, "spec.versions"),
        ([*VERSION, "name"], "V1", "spec.versions[0].name"),
        ([*VERSION, "schema"], {}, "spec.versions[0].schema.openAPIV3Schema"),
        ([*VERSION, "deprecationWarning"], "x", "spec.versions[0].deprecationWarning"),
        ([*VERSION, "additionalPrinterColumns"], [{"name": "A", "type": "x", "jsonPath": ".a"}], "type"),
        (
            [*VERSION, "additionalPrinterColumns"],
            [{"name": "A", "type": "string", "jsonPath": "a"}],
            "jsonPath",
        ),
        ([*VERSION, "selectableFields"], [{"jsonPath": ".spec.b"}], "selectableFields[0].jsonPath"),
        ([*VERSION, "selectableFields"], [{"jsonPath": ".spec"}], "selectableFields[0].jsonPath"),
        ([*VERSION, "selectableFields"], [{"jsonPath": ".metadata.name"}], "selectableFields[0].jsonPath"),
        (
            [*VERSION, "subresources"],
            {"scale": {"specReplicasPath": ".a", "statusReplicasPath": ".b"}},
            "specReplicasPath",
        ),
        (["spec", "preserveUnknownFields"], True, "spec.preserveUnknownFields"),
        (["spec", "conversion"], {"strategy": "Magic"}, "spec.conversion.strategy"),
        (["spec", "conversion"], {"strategy": "Webhook"}, "spec.conversion.webhook"),
        (["spec", "names", "kind"], "Bad_Kind", "spec.names.kind"),
        (["spec", "names", "shortNames"], ["A"], "spec.names.shortNames[0]"),
    ],
)
def test_definition_that_is_wrong_is_refused_by_field(
    api: Api, path: list[Any], value: Any, field: str
) -> None:
    answer = api.post(DEFINITIONS, changed(path, value))
    assert answer.code == 422, answer.raw
    assert any(one["field"].endswith(field) for one in answer.body["details"]["causes"]), answer.body[
        "details"
    ]


def test_groups_of_kubernetes_need_an_approval(api: Api) -> None:
    given = definition(group="x.k8s.io")
    assert api.post(DEFINITIONS, given).code == 422
    given["metadata"]["annotations"] = {"api-approved.kubernetes.io": "unapproved, a test"}
    assert api.post(DEFINITIONS, given).code == 201


def test_names_are_whose_they_were_first_and_free_when_those_go(api: Api, namespace: str) -> None:
    first = definition(shortNames=["dd"])
    second = definition(shortNames=["dd"])
    api.made(DEFINITIONS, first)
    api.made(DEFINITIONS, second)
    assert conditions(api, first) == {
        "NamesAccepted": "True NoConflicts",
        "Established": "True InitialNamesAccepted",
    }
    assert conditions(api, second) == {
        "NamesAccepted": "False ShortNamesConflict",
        "Established": "False NotAccepted",
    }
    assert api.post(place(second, namespace), thing(second, "a")).code == 404
    assert api.delete(named(first)).code == 200
    eventually(api, second, "Established", "True InitialNamesAccepted")
    assert api.post(place(second, namespace), thing(second, "a")).code == 201


def test_same_kind_in_one_group_is_a_conflict_and_in_another_is_none(api: Api) -> None:
    api.made(DEFINITIONS, definition(kind="Same", singular="one"))
    second = definition(kind="Same", singular="two")
    third = definition(kind="Same", group="other.example.com")
    api.made(DEFINITIONS, second)
    api.made(DEFINITIONS, third)
    assert conditions(api, second)["NamesAccepted"] == "False KindConflict"
    assert conditions(api, third)["NamesAccepted"] == "True NoConflicts"


def test_names_that_are_established_stay(api: Api) -> None:
    given = definition()
    api.made(DEFINITIONS, given)
    answer = api.patch(named(given), {"spec": {"names": {"kind": "Other"}}})
    assert answer.code == 422
    assert answer.body["details"]["causes"][0]["field"] == "spec.names.kind"
    assert api.patch(named(given), {"spec": {"names": {"shortNames": ["zz"]}}}).code == 200
    assert api.get(named(given)).body["status"]["acceptedNames"]["shortNames"] == ["zz"]


def test_versions_convert_by_name_alone_and_the_deprecated_one_says_so(api: Api, namespace: str) -> None:
    given = definition()
    version = given["spec"]["versions"][0]
    old = {**version, "name": "v1alpha1", "storage": False, "deprecated": True}
    hidden = {**version, "name": "v1beta1", "storage": False, "served": False}
    given["spec"]["versions"] = [version, old, hidden]
    api.made(DEFINITIONS, given)
    kind = given["spec"]["names"]["kind"]
    made = api.post(place(given, namespace, "v1alpha1"), thing(given, "a", "v1alpha1", spec={"a": 1}))
    assert made.code == 201
    told = f'299 - "{GROUP}/v1alpha1 {kind} is deprecated; use {GROUP}/v1 {kind}"'
    assert made.warnings == [told]
    for path in (place(given, namespace, "v1alpha1"), f"{place(given, namespace, 'v1alpha1')}/a"):
        assert api.get(path).warnings == [told]
    assert api.get(f"{place(given, namespace)}/a").body["apiVersion"] == f"{GROUP}/v1"
    assert api.get(place(given, namespace, "v1beta1")).code == 404


def test_version_that_was_stored_cannot_go_before_it_is_said_that_nothing_stands_in_it(api: Api) -> None:
    given = definition()
    api.made(DEFINITIONS, given)
    version = given["spec"]["versions"][0]
    both = [{**version, "storage": False}, {**version, "name": "v2"}]
    assert api.patch(named(given), {"spec": {"versions": both}}).code == 200
    assert api.get(named(given)).body["status"]["storedVersions"] == ["v1", "v2"]
    refused = api.patch(named(given), {"spec": {"versions": both[1:]}})
    assert refused.code == 422
    assert refused.body["details"]["causes"][0]["field"] == "status.storedVersions[0]"
    assert api.patch(f"{named(given)}/status", {"status": {"storedVersions": ["v2"]}}).code == 200
    assert api.patch(named(given), {"spec": {"versions": both[1:]}}).code == 200


def test_definition_that_goes_waits_for_its_objects_and_takes_no_new_ones(api: Api, namespace: str) -> None:
    given = definition()
    api.made(DEFINITIONS, given)
    held = thing(given, "held")
    held["metadata"]["finalizers"] = ["example.com/wait"]
    api.made(place(given, namespace), held)
    assert api.delete(named(given)).code == 200
    eventually(api, given, "Terminating", "True InstanceDeletionInProgress")
    answer = api.post(place(given, namespace), thing(given, "new"))
    assert (answer.code, answer.body["reason"]) == (405, "MethodNotAllowed")
    assert "deletionTimestamp" in api.eventually(f"{place(given, namespace)}/held").body["metadata"]
    assert api.patch(f"{place(given, namespace)}/held", {"metadata": {"finalizers": None}}).code == 200
    api.eventually(named(given), 404)


def test_objects_of_a_version_that_is_not_served_go_with_their_definition(api: Api, namespace: str) -> None:
    given = definition()
    api.made(DEFINITIONS, given)
    api.made(place(given, namespace), thing(given, "a"))
    version = {**given["spec"]["versions"][0], "served": False}
    assert api.patch(named(given), {"spec": {"versions": [version]}}).code == 200
    assert api.delete(named(given)).code == 200
    api.eventually(named(given), 404)


def test_selectable_fields_select_lists_and_watches(api: Api, namespace: str) -> None:
    given = definition({"type": "object", "properties": {"a": INT, "on": {"type": "boolean"}, "name": TEXT}})
    fields = [{"jsonPath": path} for path in (".spec.a", ".spec.on", ".spec.name")]
    given["spec"]["versions"][0]["selectableFields"] = fields
    api.made(DEFINITIONS, given)
    path = place(given, namespace)
    for number, on in enumerate((True, False, True)):
        api.made(path, thing(given, f"n{number}", spec={"a": number, "on": on, "name": f"x{number % 2}"}))

    def selected(selector: str) -> list[str]:
        answer = api.get(f"{path}?fieldSelector={selector}")
        assert answer.code == 200, answer.raw
        return [item["metadata"]["name"] for item in answer.body["items"]]

    assert selected("spec.on%3Dtrue") == ["n0", "n2"]
    assert selected("spec.a%3D1") == ["n1"]
    assert selected("spec.name!%3Dx0,spec.on%3Dfalse") == ["n1"]
    assert api.get(f"{path}?fieldSelector=spec.other%3D1").code == 400
    with api.watch(f"{path}?fieldSelector=spec.on%3Dfalse&resourceVersion=0") as events:
        assert next(events)["object"]["metadata"]["name"] == "n1"
        api.patch(f"{path}/n0", {"spec": {"on": False}})
        assert next(events)["type"] == "ADDED"
        api.patch(f"{path}/n1", {"spec": {"on": True}})
        assert next(events)["type"] == "DELETED"


EMBEDDED = {
    "type": "object",
    "x-kubernetes-embedded-resource": True,
    "x-kubernetes-preserve-unknown-fields": True,
}


def test_embedded_resources_say_what_they_are(api: Api, namespace: str) -> None:
    given = definition({"type": "object", "properties": {"template": EMBEDDED}})
    api.made(DEFINITIONS, given)
    path = place(given, namespace)
    template = {"apiVersion": "v1", "kind": "X", "metadata": {"name": "n", "odd": 1}, "free": {"a": [1]}}
    made = api.made(path, thing(given, "a", spec={"template": template}))
    assert made["spec"]["template"] == {**template, "metadata": {"name": "n"}}
    for change, field in (
        ({"kind": ""}, "kind"),
        ({"apiVersion": None}, "apiVersion"),
        ({"metadata": {"name": "Not A Name"}}, "metadata.name"),
        ({"metadata": {"labels": {"a b": "c"}}}, "metadata.labels"),
    ):
        answer = api.post(path, thing(given, "b", spec={"template": {**template, **change}}))
        assert answer.code == 422, change
        assert answer.body["details"]["causes"][0]["field"] == f"spec.template.{field}"


def test_nulls_go_where_they_may_not_be_and_defaults_fill_what_is_nested(api: Api, namespace: str) -> None:
    inner = {"type": "object", "default": {}, "properties": {"size": {"type": "integer", "default": 3}}}
    spec = {
        "type": "object",
        "properties": {
            "inner": inner,
            "mode": {"type": "string", "default": "Fast"},
            "plain": TEXT,
            "maybe": {"type": "string", "nullable": True, "default": "x"},
            "labels": {"type": "object", "additionalProperties": TEXT},
            "items": {
                "type": "array",
                "items": {"type": "object", "properties": {"n": {"type": "integer", "default": 1}}},
            },
        },
    }
    given = definition(spec)
    api.made(DEFINITIONS, given)
    sent = {
        "mode": None,
        "plain": None,
        "maybe": None,
        "labels": {"a": None, "b": "c"},
        "items": [{}, {"n": 2}],
    }
    made = api.made(place(given, namespace), thing(given, "a", spec=sent))
    assert made["spec"] == {
        "mode": "Fast",
        "maybe": None,
        "labels": {"b": "c"},
        "items": [{"n": 1}, {"n": 2}],
        "inner": {"size": 3},
    }


def test_hostile_pattern_and_value_take_no_time(api: Api, namespace: str) -> None:
    given = definition({"type": "object", "properties": {"a": {"type": "string", "pattern": "^(a+)+$"}}})
    api.made(DEFINITIONS, given)
    start = time.monotonic()
    assert api.post(place(given, namespace), thing(given, "a", spec={"a": "a" * 5000 + "!"})).code == 422
    assert time.monotonic() - start < 2
