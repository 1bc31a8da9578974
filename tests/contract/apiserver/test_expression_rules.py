"""CEL rules of CRDs: evaluated at every write, judged when the CRD is written."""

import itertools
import threading
import time
from typing import Any

import pytest
from tests.contract.apiserver.running import Api

GROUP = "rules.example.com"
DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
_count = itertools.count()
Rules = list[dict[str, Any]]


def definition(spec: dict[str, Any], rules: Rules | None = None, **root: Any) -> dict[str, Any]:
    """A CRD whose objects have such a spec, with rules at the spec."""
    plural = f"things{next(_count)}"
    schema = {"type": "object", "properties": {"spec": {"type": "object", "properties": spec}}, **root}
    if rules:
        schema["properties"]["spec"]["x-kubernetes-validations"] = rules
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{plural}.{GROUP}"},
        "spec": {
            "group": GROUP,
            "scope": "Namespaced",
            "names": {"plural": plural, "kind": plural.title().removesuffix("S") + "Kind"},
            "versions": [version],
        },
    }


class Things:
    """Objects of a fresh CRD."""

    def __init__(self, api: Api, namespace: str, given: dict[str, Any]) -> None:
        self._api = api
        made = api.post(DEFINITIONS, given)
        assert made.code == 201, made.raw
        assert not made.warnings
        names = given["spec"]["names"]
        self._kind = names["kind"]
        self.path = f"/apis/{GROUP}/v1/namespaces/{namespace}/{names['plural']}"

    def thing(self, name: str, spec: dict[str, Any]) -> dict[str, Any]:
        return {"apiVersion": f"{GROUP}/v1", "kind": self._kind, "metadata": {"name": name}, "spec": spec}

    def create(self, spec: dict[str, Any], name: str = "t") -> Any:
        return self._api.post(self.path, self.thing(name, spec))

    def change(self, patch: dict[str, Any], name: str = "t") -> Any:
        return self._api.patch(f"{self.path}/{name}", patch)


def causes(answer: Any) -> list[tuple[str, str]]:
    assert answer.code == 422, answer.raw
    return [(cause["field"], cause["message"]) for cause in answer.body["details"]["causes"]]


INT, TEXT = {"type": "integer"}, {"type": "string"}


def test_rule_refuses_with_its_message_at_its_field(api: Api, namespace: str) -> None:
    rules: Rules = [
        {"rule": "self.least <= self.most", "message": "least must not be above most", "fieldPath": ".least"},
        {"rule": "self.most < 100", "messageExpression": "'%d is too much'.format([self.most])"},
        {"rule": "self.least != 13"},
    ]
    things = Things(api, namespace, definition({"least": INT, "most": INT}, rules))
    assert things.create({"least": 1, "most": 2}).code == 201
    assert causes(things.create({"least": 200, "most": 150}, "u")) == [
        ("spec.least", 'Invalid value: "object": least must not be above most'),
        ("spec", 'Invalid value: "object": 150 is too much'),
    ]
    refused = things.create({"least": 13, "most": 20}, "u")
    assert causes(refused) == [("spec", 'Invalid value: "object": failed rule: self.least != 13')]
    assert refused.body["reason"] == "Invalid"


@pytest.mark.parametrize(
    ("reason", "text"),
    [
        ("FieldValueForbidden", "Forbidden: no"),
        ("FieldValueRequired", "Required value: no"),
        ("FieldValueDuplicate", 'Duplicate value: "object"'),
    ],
)
def test_reason_of_a_rule_is_the_reason_of_its_cause(
    api: Api, namespace: str, reason: str, text: str
) -> None:
    rule = {"rule": "self.a == 1", "message": "no", "reason": reason}
    things = Things(api, namespace, definition({"a": INT}, [rule]))
    cause = things.create({"a": 2}).body["details"]["causes"][0]
    assert (cause["reason"], cause["message"]) == (reason, text)


def test_transition_rule_judges_changes_alone(api: Api, namespace: str) -> None:
    spec = {
        "fixed": {**TEXT, "x-kubernetes-validations": [{"rule": "self == oldSelf", "message": "is fixed"}]}
    }
    things = Things(api, namespace, definition(spec))
    assert things.create({"fixed": "a"}).code == 201
    assert things.change({"metadata": {"labels": {"a": "b"}}}).code == 200
    assert causes(things.change({"spec": {"fixed": "b"}})) == [
        ("spec.fixed", 'Invalid value: "string": is fixed')
    ]
    assert things.change({"spec": {"fixed": None}}).code == 200
    assert things.change({"spec": {"fixed": "c"}}).code == 200


def test_transition_rule_with_optional_old_value_judges_creation_too(api: Api, namespace: str) -> None:
    rule = {"rule": "self.a >= oldSelf.?a.orValue(1)", "optionalOldSelf": True, "message": "only up"}
    things = Things(api, namespace, definition({"a": INT}, [rule]))
    assert things.create({"a": 0}).code == 422
    assert things.create({"a": 5}).code == 201
    assert things.change({"spec": {"a": 4}}).code == 422
    assert things.change({"spec": {"a": 6}}).code == 200


def test_items_of_lists_with_keys_are_found_again(api: Api, namespace: str) -> None:
    item = {
        "type": "object",
        "required": ["name"],
        "properties": {"name": {**TEXT, "maxLength": 20}, "size": INT},
        "x-kubernetes-validations": [{"rule": "self.size >= oldSelf.size", "message": "only grows"}],
    }
    disks = {"type": "array", "maxItems": 5, "items": item, "x-kubernetes-list-type": "map",
             "x-kubernetes-list-map-keys": ["name"]}  # fmt: skip
    things = Things(api, namespace, definition({"disks": disks}))
    assert things.create({"disks": [{"name": "a", "size": 5}, {"name": "b", "size": 1}]}).code == 201
    assert (
        things.change({"spec": {"disks": [{"name": "b", "size": 2}, {"name": "a", "size": 5}]}}).code == 200
    )
    refused = things.change({"spec": {"disks": [{"name": "c", "size": 0}, {"name": "a", "size": 4}]}})
    assert causes(refused) == [("spec.disks[1]", 'Invalid value: "object": only grows')]


def test_rules_see_times_durations_and_numbers_as_their_schema_says(api: Api, namespace: str) -> None:
    spec = {
        "at": {**TEXT, "format": "date-time"},
        "every": {**TEXT, "format": "duration"},
        "ratio": {"type": "number"},
        "either": {"x-kubernetes-int-or-string": True},
        "data": {**TEXT, "format": "byte"},
        "odd-name": INT,
        "in": INT,
        "labels": {"type": "object", "maxProperties": 9, "additionalProperties": {**TEXT, "maxLength": 9}},
    }
    rules: Rules = [
        {"rule": "self.at.getFullYear() == 2024 && self.every <= duration('1h')"},
        {"rule": "self.ratio / 2.0 < 1.0 && size(self.data) == 3"},
        {"rule": "type(self.either) == int ? self.either < 5 : self.either.endsWith('%')"},
        {"rule": "self.odd__dash__name == 1 && self.__in__ == 2"},
        {"rule": "self.labels.all(k, self.labels[k] != '') && 'a' in self.labels"},
        {"rule": "!has(self.missing)"},
    ]
    spec["missing"] = INT
    good = {"at": "2024-05-01T00:00:00Z", "every": "59m", "ratio": 1, "either": "50%", "data": "YWJj",
            "odd-name": 1, "in": 2, "labels": {"a": "b"}}  # fmt: skip
    things = Things(api, namespace, definition(spec, rules))
    assert things.create(good).code == 201
    for field, bad in (
        ("at", "2023-05-01T00:00:00Z"), ("every", "2h"), ("ratio", 3), ("either", 7), ("either", "x"),
        ("data", "YQ=="), ("odd-name", 2), ("in", 3), ("labels", {"b": "c"}), ("missing", 1),
    ):  # fmt: skip
        assert things.create({**good, field: bad}, "u").code == 422, field


def test_rule_at_the_root_sees_the_name_and_no_more_of_the_metadata(api: Api, namespace: str) -> None:
    rule = {"rule": "self.metadata.name.startsWith('a') && self.kind != ''", "message": "begins with a"}
    things = Things(api, namespace, definition({"a": INT}, **{"x-kubernetes-validations": [rule]}))
    assert things.create({}, "abc").code == 201
    assert causes(things.create({}, "bcd")) == [("<nil>", 'Invalid value: "object": begins with a')]
    labels = definition({}, **{"x-kubernetes-validations": [{"rule": "has(self.metadata.labels)"}]})
    assert "undefined field 'labels'" in api.post(DEFINITIONS, labels).raw.decode()


def test_rule_that_fails_says_why(api: Api, namespace: str) -> None:
    rules: Rules = [{"rule": "self.items[0] == 1"}, {"rule": "10 / self.a > 1"}]
    things = Things(api, namespace, definition({"a": INT, "items": {"type": "array", "items": INT}}, rules))
    found = dict.fromkeys(message for _field, message in causes(things.create({"a": 0, "items": []})))
    assert list(found) == [
        'Invalid value: "object": index out of bounds: 0 evaluating rule: self.items[0] == 1',
        'Invalid value: "object": division by zero evaluating rule: 10 / self.a > 1',
    ]
    missing = causes(things.create({"a": 1}))
    assert missing[0][1] == 'Invalid value: "object": no such key: items evaluating rule: self.items[0] == 1'


def test_rules_wait_until_the_schema_holds(api: Api, namespace: str) -> None:
    things = Things(api, namespace, definition({"a": INT}, [{"rule": "self.a > 1", "message": "too small"}]))
    refused = causes(things.create({"a": "x"}))
    assert [field for field, _message in refused] == ["spec.a", "<nil>"]
    assert "too small" not in str(refused)


def test_unchanged_values_are_excused_from_new_rules(api: Api, namespace: str) -> None:
    given = definition({"a": INT, "b": INT})
    things = Things(api, namespace, given)
    assert things.create({"a": 1, "b": 1}).code == 201
    name = given["metadata"]["name"]
    schema = given["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]
    schema["properties"]["a"] = {
        **INT,
        "x-kubernetes-validations": [{"rule": "self > 5", "message": "too small"}],
    }
    schema["properties"]["b"] = {**INT, "minimum": 5}
    assert api.patch(f"{DEFINITIONS}/{name}", {"spec": given["spec"]}).code == 200
    told = things.change({"metadata": {"labels": {"x": "y"}}})
    assert told.code == 200, told.raw
    assert "too small" in told.warnings[0]
    assert things.change({"spec": {"a": 2}}).code == 422
    assert things.change({"spec": {"b": 2}}).code == 422
    assert things.change({"spec": {"a": 6}}).code == 200


BAD_RULES = [
    ({"rule": "self.nothing == 1"}, "undefined field 'nothing'"),
    ({"rule": "self.a + 'x' == 'y'"}, "found no matching overload for '_+_' applied to '(int, string)'"),
    ({"rule": "self.a"}, "cel expression must evaluate to a bool"),
    ({"rule": "self.a =="}, "Syntax error"),
    ({"rule": "other == 1"}, "undeclared reference to 'other'"),
    ({"rule": ""}, "Required value"),
    ({"rule": "self.a == 1", "reason": "Because"}, "Unsupported value"),
    ({"rule": "self.a == 1", "message": "two\nlines"}, "must not contain line breaks"),
    ({"rule": "self.a == 1", "messageExpression": "self.a"}, "must evaluate to a string"),
    ({"rule": "self.a == 1", "fieldPath": ".nothing"}, "does not refer to a valid field"),
    ({"rule": "self.a == 1", "optionalOldSelf": True}, "may not be set if oldSelf is not used"),
    ({"rule": "self.w.all(x, self.w.all(y, x == y))"}, "exceeds the budget by a factor of more than 100x"),
    ({"rule": "self.w.exists(x, x.matches('['))"}, "invalid matches argument"),
]


@pytest.mark.parametrize(("rule", "text"), BAD_RULES)
def test_bad_rule_is_refused_when_the_crd_is_written(api: Api, rule: dict[str, Any], text: str) -> None:
    words = {"type": "array", "items": TEXT}
    answer = api.post(DEFINITIONS, definition({"a": INT, "w": words}, [rule]))
    assert answer.code == 422
    found = [cause for cause in answer.body["details"]["causes"] if text in cause["message"]]
    assert found, answer.raw
    assert found[0]["field"].startswith(
        "spec.versions[0].schema.openAPIV3Schema.properties[spec].x-kubernetes-valid"
    )


def test_transition_rule_where_values_cannot_be_found_again_is_refused(api: Api) -> None:
    items = {**INT, "x-kubernetes-validations": [{"rule": "self >= oldSelf"}]}
    answer = api.post(DEFINITIONS, definition({"l": {"type": "array", "maxItems": 3, "items": items}}))
    assert answer.code == 422
    assert "uncorrelatable" in answer.raw.decode()


def test_hostile_object_is_refused_before_it_costs_more_than_a_moment(api: Api, namespace: str) -> None:
    words = {"type": "array", "maxItems": 1000, "items": {**TEXT, "maxLength": 10}}
    rule = {"rule": "self.w.all(x, !self.w.exists(y, y == 'never'))"}
    things = Things(api, namespace, definition({"w": words}, [rule]))
    refused = things.create({"w": [f"w{number}" for number in range(1000)]})
    assert causes(refused)[0][1].startswith('Invalid value: "object": validation ran out of the cost')


def test_rules_that_take_long_keep_nobody_else_waiting(api: Api, namespace: str) -> None:
    words = {"type": "array", "maxItems": 1000, "items": {**TEXT, "maxLength": 10}}
    rule = {"rule": "self.w.all(x, !self.w.exists(y, y == 'never'))"}
    things = Things(api, namespace, definition({"w": words}, [rule] * 10))
    spec = {"w": [f"w{number}" for number in range(240)]}
    done = threading.Event()
    codes = []

    def create() -> None:
        codes.append(things.create(spec).code)
        done.set()

    thread = threading.Thread(target=create)
    thread.start()
    slowest = 0.0
    while not done.is_set():
        start = time.monotonic()
        assert api.get("/healthz").code == 200
        slowest = max(slowest, time.monotonic() - start)
    thread.join()
    assert codes == [201]
    assert slowest < 1
