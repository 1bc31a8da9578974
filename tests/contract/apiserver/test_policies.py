"""ValidatingAdmissionPolicies: what they deny, warn of and note; parameters, variables, conditions."""

import itertools
import json
import time
from collections.abc import Iterator
from typing import Any

import pytest
from tests.contract.apiserver.running import Api, Running

ADMISSION = "/apis/admissionregistration.k8s.io/v1"
POLICIES = f"{ADMISSION}/validatingadmissionpolicies"
BINDINGS = f"{ADMISSION}/validatingadmissionpolicybindings"
_count = itertools.count()


class Place:
    """A namespace with policies about its config maps."""

    def __init__(self, api: Api, namespace: str) -> None:
        self.api = api
        self.namespace = namespace
        self.path = f"/api/v1/namespaces/{namespace}/configmaps"
        self._made: list[str] = []

    def policy(self, *validations: Any, **more: Any) -> dict[str, Any]:
        rule = {"apiGroups": [""], "apiVersions": ["v1"], "operations": ["*"], "resources": ["configmaps"]}
        match = {
            "resourceRules": [rule],
            "namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": self.namespace}},
        }
        spec = {"matchConstraints": match, "validations": list(validations), **more}
        return {"metadata": {"name": f"policy{next(_count)}"}, "spec": spec}

    def enforce(self, policy: dict[str, Any], *actions: str, **binding: Any) -> str:
        """The policy is bound; its name."""
        name = str(policy["metadata"]["name"])
        self.api.made(POLICIES, policy)
        spec = {"policyName": name, "validationActions": list(actions or ("Deny",)), **binding}
        self.api.made(BINDINGS, {"metadata": {"name": name}, "spec": spec})
        self._made += [f"{BINDINGS}/{name}", f"{POLICIES}/{name}"]
        return name

    def create(self, name: str, **more: Any) -> Any:
        return self.api.post(self.path, {"metadata": {"name": name}, **more})

    def forget(self) -> None:
        for path in self._made:
            self.api.delete(path)


@pytest.fixture
def place(api: Api, namespace: str) -> Iterator[Place]:
    found = Place(api, namespace)
    yield found
    found.forget()


def test_policy_denies_what_does_not_hold(place: Place) -> None:
    name = place.enforce(place.policy({"expression": "object.metadata.name.startsWith('ok')"}))
    assert place.create("ok-1").code == 201
    denied = place.create("other")
    assert (denied.code, denied.body["reason"]) == (422, "Invalid")
    assert denied.body["message"] == (
        f"configmaps \"other\" is forbidden: ValidatingAdmissionPolicy '{name}' with binding '{name}' "
        "denied request: failed expression: object.metadata.name.startsWith('ok')"
    )


@pytest.mark.parametrize(("reason", "code"), [("Forbidden", 403), ("Unauthorized", 401), ("Invalid", 422)])
def test_reason_and_message_are_the_validations(place: Place, reason: str, code: int) -> None:
    validation = {
        "expression": "size(object.data) < 2",
        "message": "unused",
        "messageExpression": "'%d entries are too many'.format([size(object.data)])",
        "reason": reason,
    }
    place.enforce(place.policy(validation))
    denied = place.create("a", data={"a": "1", "b": "2"})
    assert (denied.code, denied.body["reason"]) == (code, reason)
    assert denied.body["message"].endswith("denied request: 2 entries are too many")
    failing = {**validation, "messageExpression": "string(object.missing)"}
    place.forget()
    place.enforce(place.policy(failing))
    assert place.create("a", data={"a": "1", "b": "2"}).body["message"].endswith("denied request: unused")


def test_bindings_say_what_follows(place: Place, server: Running) -> None:
    policy = place.policy({"expression": "false", "message": "never"})
    name = place.enforce(policy, "Warn", "Audit")
    answer = place.create("warned")
    assert answer.code == 201
    expected = f"Validation failed for ValidatingAdmissionPolicy '{name}' with binding '{name}': never"
    assert answer.warnings == [f'299 - "{expected}"']
    log = server.state.path("log", "audit.log")
    end = time.monotonic() + 5
    while f'\\"policy\\":\\"{name}\\"' not in log.read_text():  # written after the answer
        assert time.monotonic() < end
        time.sleep(0.02)


def test_policy_without_a_binding_does_nothing(place: Place) -> None:
    policy = place.policy({"expression": "false"})
    place.api.made(POLICIES, policy)
    assert place.create("a").code == 201
    assert place.api.delete(f"{POLICIES}/{policy['metadata']['name']}").code == 200


def test_binding_narrows_what_its_policy_is_about(place: Place) -> None:
    match = {"objectSelector": {"matchLabels": {"guarded": "yes"}}}
    place.enforce(place.policy({"expression": "false"}), matchResources=match)
    assert place.create("a").code == 201
    assert place.api.post(place.path, {"metadata": {"name": "b", "labels": {"guarded": "yes"}}}).code == 422


def test_variables_are_evaluated_when_they_are_needed_and_may_name_earlier_ones(place: Place) -> None:
    variables = [
        {"name": "keys", "expression": "has(object.data) ? object.data.map(k, k) : []"},
        {"name": "count", "expression": "variables.keys.size()"},
        {"name": "broken", "expression": "object.data.missing"},
    ]
    validation = {"expression": "variables.count < 2 || variables.broken == 'x'", "message": "too many"}
    place.enforce(place.policy(validation, variables=variables))
    assert place.create("a", data={"a": "1"}).code == 201
    denied = place.create("b", data={"a": "1", "b": "1"})
    assert "resulted in error: no such key: missing" in denied.body["message"]


def test_failure_policy_decides_about_expressions_that_fail(place: Place) -> None:
    place.enforce(place.policy({"expression": "object.data.x == 'y'"}, failurePolicy="Ignore"))
    assert place.create("a").code == 201
    assert place.create("b", data={"x": "z"}).code == 422


def test_old_object_request_namespace_and_authorizer_are_there(place: Place) -> None:
    validations = [
        {
            "expression": "request.operation != 'UPDATE' || object.data.a >= oldObject.data.a",
            "message": "down",
        },
        {
            "expression": "request.operation != 'DELETE' || oldObject.metadata.name != 'kept'",
            "message": "kept",
        },
        {"expression": "namespaceObject.metadata.name == request.namespace", "message": "namespace"},
        {
            "expression": "request.operation == 'DELETE' || !has(object.data.admin) || "
            "authorizer.group('').resource('nodes').check('delete').allowed()",
            "message": "not an admin",
        },
    ]
    place.enforce(place.policy(*validations))
    assert place.create("kept", data={"a": "5", "admin": "x"}).code == 201
    assert place.api.patch(f"{place.path}/kept", {"data": {"a": "4"}}).code == 422
    assert place.api.patch(f"{place.path}/kept", {"data": {"a": "6"}}).code == 200
    assert place.api.delete(f"{place.path}/kept").code == 422


def test_match_conditions_spare_the_policy(place: Place) -> None:
    conditions = [{"name": "not-me", "expression": "!object.metadata.name.startsWith('free')"}]
    place.enforce(place.policy({"expression": "false"}, matchConditions=conditions))
    assert place.create("free").code == 201
    assert place.create("bound").code == 422


def test_parameters_by_name_by_selector_and_missing_ones(place: Place, api: Api) -> None:
    kind = {"paramKind": {"apiVersion": "v1", "kind": "Secret"}}
    secrets = f"/api/v1/namespaces/{place.namespace}/secrets"
    validation = {"expression": "object.metadata.name in params.metadata.annotations"}
    for name, allowed in (("one", "a"), ("two", "b")):
        meta = {"name": name, "labels": {"param": "yes"}, "annotations": {allowed: "", "both": ""}}
        api.made(secrets, {"metadata": meta})
    named = {"name": "one", "parameterNotFoundAction": "Deny"}
    place.enforce(place.policy(validation, **kind), paramRef=named)
    assert place.create("a").code == 201
    assert place.create("b").code == 422
    place.forget()
    selected = {"selector": {"matchLabels": {"param": "yes"}}, "parameterNotFoundAction": "Deny"}
    place.enforce(place.policy(validation, **kind), paramRef=selected)
    assert place.create("b").code == 422  # every parameter must agree
    assert place.create("both").code == 201
    place.forget()
    place.enforce(place.policy(validation, **kind), paramRef={**named, "name": "none"})
    assert "no params found" in place.create("c").body["message"]
    place.forget()
    place.enforce(
        place.policy(validation, **kind),
        paramRef={"name": "none", "parameterNotFoundAction": "Allow"},
    )
    assert place.create("c").code == 201


def test_kind_of_parameters_that_is_not_served_is_a_failure(place: Place) -> None:
    kind = {"apiVersion": "none.example.com/v1", "kind": "None"}
    ref = {"name": "x", "parameterNotFoundAction": "Allow"}
    place.enforce(place.policy({"expression": "params != null"}, paramKind=kind), paramRef=ref)
    assert "failed to find resource referenced by paramKind" in place.create("a").body["message"]


def test_tables_say_what_a_policy_has_and_where_it_is_bound(place: Place, api: Api) -> None:
    kind = {"apiVersion": "v1", "kind": "Secret"}
    ref = {"name": "x", "namespace": "n", "parameterNotFoundAction": "Allow"}
    name = place.enforce(place.policy({"expression": "true"}, paramKind=kind), paramRef=ref)
    table = "application/json;as=Table;v=v1;g=meta.k8s.io"
    policy = api.get(f"{POLICIES}/{name}", Accept=table).body
    assert [one["name"] for one in policy["columnDefinitions"]] == ["Name", "Validations", "ParamKind", "Age"]
    assert policy["rows"][0]["cells"][:3] == [name, 1, "v1/Secret"]
    binding = api.get(f"{BINDINGS}/{name}", Accept=table).body
    assert [one["name"] for one in binding["columnDefinitions"]] == ["Name", "PolicyName", "ParamRef", "Age"]
    assert binding["rows"][0]["cells"][:3] == [name, name, "n/x"]


def test_annotations_are_noted(place: Place, server: Running) -> None:
    notes = [
        {"key": "size", "valueExpression": "'%d entries'.format([size(object.data)])"},
        {"key": "none", "valueExpression": "null"},
    ]
    name = place.enforce(place.policy(auditAnnotations=notes))
    assert place.create("noted", data={"a": "1"}).code == 201
    log = server.state.path("log", "audit.log")
    end = time.monotonic() + 5
    while not (found := [line for line in log.read_text().splitlines() if f'"{name}/size"' in line]):
        assert time.monotonic() < end
        time.sleep(0.02)
    annotations = json.loads(found[0])["annotations"]
    assert annotations[f"{name}/size"] == "1 entries"
    assert f"{name}/none" not in annotations


BAD = [
    ({"validations": []}, "validations or auditAnnotations must be specified"),
    ({"validations": [{"expression": "object.x =="}]}, "compilation failed"),
    ({"validations": [{"expression": "1"}]}, "must evaluate to bool"),
    ({"validations": [{"expression": "variables.none"}]}, "undefined field 'none'"),
    ({"validations": [{"expression": "params.x"}]}, "undeclared reference to 'params'"),
    ({"validations": [{"expression": "true", "reason": "Because"}]}, "Unsupported value"),
    ({"validations": [{"expression": "true", "messageExpression": "1"}]}, "must evaluate to string"),
    ({"variables": [{"name": "a b", "expression": "1"}]}, "not a valid CEL identifier"),
    ({"variables": [{"name": "a", "expression": "variables.b"}]}, "undefined field 'b'"),
    ({"matchConditions": [{"name": "a", "expression": "variables.b"}]}, "undefined field 'b'"),
    ({"matchConstraints": None}, "spec.matchConstraints: Required value"),
    ({"matchConstraints": {}}, "Required value"),
    ({"failurePolicy": "Maybe"}, "Unsupported value"),
    ({"paramKind": {"kind": "X"}}, "spec.paramKind.apiVersion: Required value"),
    ({"auditAnnotations": [{"key": "a", "valueExpression": "1"}]}, "must evaluate to string or null_type"),
]


@pytest.mark.parametrize(("change", "text"), BAD)
def test_bad_policy_is_refused(place: Place, change: dict[str, Any], text: str) -> None:
    policy = place.policy({"expression": "true"})
    policy["spec"].update(change)
    answer = place.api.post(POLICIES, policy)
    assert answer.code == 422, answer.raw
    assert text in answer.body["message"]


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        ({"validationActions": ["Deny"]}, "spec.policyName: Required value"),
        ({"policyName": "p"}, "spec.validationActions: Required value"),
        ({"policyName": "p", "validationActions": ["Deny", "Warn"]}, "must not contain both Deny and Warn"),
        ({"policyName": "p", "validationActions": ["Deny", "Deny"]}, "Duplicate value"),
        ({"policyName": "p", "validationActions": ["Burn"]}, "Unsupported value"),
        (
            {
                "policyName": "p",
                "validationActions": ["Deny"],
                "paramRef": {"parameterNotFoundAction": "Allow"},
            },
            "one of name or selector must be specified",
        ),
        (
            {"policyName": "p", "validationActions": ["Deny"], "paramRef": {"name": "x"}},
            "parameterNotFoundAction: Required value",
        ),
    ],
)
def test_bad_binding_is_refused(api: Api, spec: dict[str, Any], text: str) -> None:
    answer = api.post(BINDINGS, {"metadata": {"name": "b"}, "spec": spec})
    assert answer.code == 422, answer.raw
    assert text in answer.body["message"]


def test_policies_cannot_be_locked_away_by_themselves(place: Place) -> None:
    policy = place.policy({"expression": "false"})
    rule = {"apiGroups": ["*"], "apiVersions": ["*"], "operations": ["*"], "resources": ["*"]}
    policy["spec"]["matchConstraints"] = {
        "resourceRules": [{**rule, "apiGroups": ["admissionregistration.k8s.io"]}]
    }
    name = place.enforce(policy)
    assert place.api.patch(f"{POLICIES}/{name}", {"metadata": {"labels": {"a": "b"}}}).code == 200
    assert place.api.delete(f"{BINDINGS}/{name}").code == 200


def test_status_tells_what_expressions_get_wrong_about_their_kinds(api: Api, place: Place) -> None:
    policy = place.policy(
        {"expression": "object.data.size() < 3"},
        {"expression": "object.spec.replicas > 1"},
        {"expression": "object.metadata.labels['a'] == 1", "messageExpression": "string(object.none)"},
        variables=[{"name": "n", "expression": "object.metadata.nothing"}],
    )
    api.made(POLICIES, policy)
    path = f"{POLICIES}/{policy['metadata']['name']}"
    end = time.monotonic() + 5
    while not (status := api.get(path).body.get("status") or {}).get("observedGeneration"):
        assert time.monotonic() < end
        time.sleep(0.02)
    warnings = {one["fieldRef"]: one["warning"] for one in status["typeChecking"]["expressionWarnings"]}
    assert list(warnings) == [
        "spec.variables[0].expression",
        "spec.validations[1].expression",
        "spec.validations[2].expression",
        "spec.validations[2].messageExpression",
    ]
    assert warnings["spec.validations[1].expression"].startswith(
        "v1, Kind=ConfigMap: ERROR: <input>:1:7: undefined"
    )
    assert api.delete(path).code == 200
