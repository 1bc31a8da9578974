"""Webhooks at their edges: order, reinvocation, conditions, versions, dry runs, hostile answers."""

import base64
import itertools
import json
import time
from collections.abc import Iterator
from typing import Any

import pytest
from tests.contract.apiserver.extension import Extension
from tests.contract.apiserver.running import Api, Running
from tests.contract.apiserver.test_expression_rules import DEFINITIONS, GROUP, INT, definition

ADMISSION = "/apis/admissionregistration.k8s.io/v1"
ALLOW = {"allowed": True}
CONFIGMAPS = [{"apiGroups": [""], "apiVersions": ["v1"], "operations": ["*"], "resources": ["configmaps"]}]
_count = itertools.count()


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Running, Extension]]:
    root = tmp_path_factory.mktemp("hooked")
    extension = Extension(Running(root).state)
    running = Running(root, service_resolver={"virt-api.kubevirt": extension.address})
    running.start()
    yield running, extension
    running.kill()
    extension.close()


class Hooks:
    """Registers webhooks for one namespace; forgets them at the end."""

    def __init__(self, api: Api, running: Running, extension: Extension, namespace: str) -> None:
        self.api = api
        self.extension = extension
        self.path = f"/api/v1/namespaces/{namespace}/configmaps"
        self.namespace = namespace
        ca = running.state.path("pki", "component-ca.crt").read_bytes()
        self._ca = base64.b64encode(ca).decode()
        self._made: list[str] = []

    def webhook(self, path: str, **more: Any) -> dict[str, Any]:
        service = {"namespace": "kubevirt", "name": "virt-api", "path": path}
        return {
            "name": f"{path.strip('/')}.example.com",
            "clientConfig": {"service": service, "caBundle": self._ca},
            "rules": CONFIGMAPS,
            "namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": self.namespace}},
            "sideEffects": "None",
            "admissionReviewVersions": ["v1"],
            **more,
        }

    def post(self, kind: str, webhook: dict[str, Any], name: str = "") -> Any:
        name = name or f"hook{next(_count)}"
        answer = self.api.post(
            f"{ADMISSION}/{kind}webhookconfigurations", {"metadata": {"name": name}, "webhooks": [webhook]}
        )
        self._made.append(f"{ADMISSION}/{kind}webhookconfigurations/{name}")
        return answer

    def add(self, kind: str, path: str, verdict: Any, name: str = "", **more: Any) -> None:
        self.extension.verdicts[path] = verdict
        answer = self.post(kind, self.webhook(path, **more), name)
        assert answer.code == 201, answer.raw

    def create(self, name: str, query: str = "", **more: Any) -> Any:
        return self.api.post(f"{self.path}{query}", {"metadata": {"name": name}, **more})

    def asked(self, name: str) -> list[Any]:
        return [one for one in self.extension.asked if one["name"] == name]

    def forget(self) -> None:
        for path in self._made:
            self.api.delete(path)


@pytest.fixture
def hooks(pair: tuple[Running, Extension]) -> Iterator[Hooks]:
    running, extension = pair
    extension.asked.clear()
    api = running.api()
    place = api.made("/api/v1/namespaces", {"metadata": {"generateName": "h-"}})["metadata"]["name"]
    found = Hooks(api, running, extension, place)
    yield found
    found.forget()


def adding(key: str, only_once: bool = False) -> Any:
    """A verdict that appends its key to ``data.order``."""

    def verdict(request: Any) -> Any:
        data = request["object"].get("data") or {}
        if only_once and key in data.get("order", ""):
            return ALLOW
        value = {**data, "order": data.get("order", "") + key}
        patch = json.dumps([{"op": "add", "path": "/data", "value": value}]).encode()
        return {**ALLOW, "patchType": "JSONPatch", "patch": base64.b64encode(patch).decode()}

    return verdict


def test_mutating_webhooks_run_in_the_order_of_their_names(hooks: Hooks) -> None:
    for key in "cab":
        hooks.add("mutating", f"/order-{key}", adding(key), name=f"hook-{key}")
    assert hooks.create("a").body["data"]["order"] == "abc"


def test_webhook_that_wants_it_is_asked_again_after_later_changes(hooks: Hooks) -> None:
    hooks.add("mutating", "/first", adding("1"), name="hook-a", reinvocationPolicy="IfNeeded")
    hooks.add("mutating", "/second", adding("2", only_once=True), name="hook-b")
    assert hooks.create("a").body["data"]["order"] == "121"
    hooks.forget()
    hooks.add("mutating", "/third", adding("3"), name="hook-c", reinvocationPolicy="IfNeeded")
    assert hooks.create("b").body["data"]["order"] == "3"


def test_selector_of_a_later_webhook_sees_what_earlier_ones_did(hooks: Hooks) -> None:
    patch = base64.b64encode(
        json.dumps([{"op": "add", "path": "/metadata/labels", "value": {"seen": "yes"}}]).encode()
    ).decode()
    label = {**ALLOW, "patchType": "JSONPatch", "patch": patch}
    hooks.add("mutating", "/label", lambda _request: label, name="hook-a")
    hooks.add(
        "mutating", "/after", adding("x"), name="hook-b", objectSelector={"matchLabels": {"seen": "yes"}}
    )
    assert hooks.create("a").body["data"]["order"] == "x"


@pytest.mark.parametrize(
    ("expression", "wanted"),
    [
        ("object.metadata.name == 'a'", True),
        ("object.metadata.name != 'a'", False),
        ("request.operation == 'CREATE' && request.resource.resource == 'configmaps'", True),
        ("request.userInfo.username == 'admin' && 'system:masters' in request.userInfo.groups", True),
        ("has(object.data) && object.data.size() > 0", False),
        ("oldObject == null && request.dryRun == false", True),
        ("authorizer.group('').resource('pods').namespace('x').check('create').allowed()", True),
        (
            "authorizer.serviceAccount('default', 'x').group('').resource('pods').check('get').allowed()",
            False,
        ),
        ("authorizer.requestResource.check('update').allowed()", True),
        ("authorizer.path('/healthz').check('get').allowed()", True),
        ("authorizer.group('').resource('pods').labelSelector('a=b').check('list').allowed()", True),
        ("request.namespace.startsWith('h-')", True),
    ],
)
def test_match_condition_decides_whether_a_webhook_is_asked(
    hooks: Hooks, expression: str, wanted: bool
) -> None:
    conditions = [{"name": "c", "expression": expression}]
    hooks.add("validating", "/cond", lambda _request: {"allowed": False}, matchConditions=conditions)
    assert hooks.create("a").code == (400 if wanted else 201)
    assert len(hooks.asked("a")) == int(wanted)


def test_conditions_are_joined_by_and_one_that_does_not_hold_outweighs_one_that_fails(hooks: Hooks) -> None:
    conditions = [
        {"name": "fails", "expression": "object.data.missing == 'x'"},
        {"name": "no", "expression": "object.metadata.name == 'other'"},
    ]
    hooks.add("validating", "/cond", lambda _request: {"allowed": False}, matchConditions=conditions)
    assert hooks.create("a").code == 201
    failed = hooks.create("other")
    assert (failed.code, failed.body["reason"]) == (403, "Forbidden")
    assert "match condition 'fails' failed" in failed.body["message"]
    assert not hooks.asked("other")


def test_failing_condition_spares_the_webhook_when_failures_are_ignored(hooks: Hooks) -> None:
    conditions = [{"name": "fails", "expression": "object.data.missing == 'x'"}]
    hooks.add(
        "validating",
        "/cond",
        lambda _request: {"allowed": False},
        matchConditions=conditions,
        failurePolicy="Ignore",
    )
    assert hooks.create("a").code == 201


@pytest.mark.parametrize(
    ("conditions", "text"),
    [
        ([{"name": "a", "expression": "object.x =="}], "compilation failed"),
        ([{"name": "a", "expression": "object.metadata.name"}], ""),
        ([{"name": "a", "expression": "1"}], "must evaluate to bool"),
        ([{"name": "a", "expression": "request.nothing == 1"}], "undefined field 'nothing'"),
        ([{"name": "a", "expression": "true"}, {"name": "a", "expression": "true"}], "Duplicate value"),
        ([{"name": "a b", "expression": "true"}], "Invalid value"),
        ([{"name": "", "expression": "true"}], "Required value"),
        ([{"name": f"n{i}", "expression": "true"} for i in range(65)], "Too many"),
    ],
)
def test_bad_conditions_are_refused_when_they_are_written(hooks: Hooks, conditions: Any, text: str) -> None:
    answer = hooks.post("validating", hooks.webhook("/cond", matchConditions=conditions))
    assert answer.code == 422, answer.raw
    assert text in answer.body["message"]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"name": "short"}, "name"),
        ({"sideEffects": "Some"}, "sideEffects"),
        ({"sideEffects": None}, "sideEffects"),
        ({"failurePolicy": "Maybe"}, "failurePolicy"),
        ({"matchPolicy": "Near"}, "matchPolicy"),
        ({"timeoutSeconds": 31}, "timeoutSeconds"),
        ({"admissionReviewVersions": ["v9"]}, "admissionReviewVersions"),
        ({"rules": [{"operations": ["*"], "apiGroups": ["*"], "apiVersions": ["*"]}]}, "rules[0].resources"),
        ({"rules": [{**CONFIGMAPS[0], "operations": ["LOOK"]}]}, "rules[0].operations[0]"),
        ({"rules": [{**CONFIGMAPS[0], "apiGroups": ["*", "apps"]}]}, "rules[0].apiGroups"),
        ({"rules": [{**CONFIGMAPS[0], "scope": "Here"}]}, "rules[0].scope"),
        ({"clientConfig": {}}, "clientConfig"),
        ({"clientConfig": {"url": "http://x/"}}, "clientConfig.url"),
        ({"clientConfig": {"url": "https://a:b@x/"}}, "clientConfig.url"),
        (
            {"clientConfig": {"service": {"name": "x", "namespace": "y", "path": "z"}}},
            "clientConfig.service.path",
        ),
    ],
)
def test_bad_webhook_is_refused_by_field(hooks: Hooks, change: dict[str, Any], field: str) -> None:
    answer = hooks.post("validating", {**hooks.webhook("/bad"), **change})
    assert answer.code == 422, answer.raw
    assert f"webhooks[0].{field}" in [one["field"] for one in answer.body["details"]["causes"]]


def test_webhook_of_one_version_sees_writes_in_the_other(hooks: Hooks) -> None:
    given = definition({"a": INT})
    version = given["spec"]["versions"][0]
    given["spec"]["versions"] = [version, {**version, "name": "v1beta1", "storage": False}]
    assert hooks.api.post(DEFINITIONS, given).code == 201
    names = given["spec"]["names"]
    rules = [
        {
            "apiGroups": [GROUP],
            "apiVersions": ["v1"],
            "operations": ["CREATE"],
            "resources": [names["plural"]],
        }
    ]
    hooks.add("validating", "/equivalent", lambda _request: ALLOW, rules=rules)
    path = f"/apis/{GROUP}/v1beta1/namespaces/{hooks.namespace}/{names['plural']}"
    thing = {"apiVersion": f"{GROUP}/v1beta1", "kind": names["kind"], "metadata": {"name": "t"}}
    assert hooks.api.post(path, thing).code == 201
    (request,) = hooks.asked("t")
    assert request["resource"]["version"] == request["kind"]["version"] == "v1"
    assert request["requestResource"]["version"] == request["requestKind"]["version"] == "v1beta1"
    assert request["object"]["apiVersion"] == f"{GROUP}/v1"
    hooks.forget()
    hooks.add("validating", "/exact", lambda _request: ALLOW, rules=rules, matchPolicy="Exact")
    thing["metadata"] = {"name": "u"}
    assert hooks.api.post(path, thing).code == 201
    assert not hooks.asked("u")


def test_dry_run_reaches_webhooks_without_side_effects_and_says_so(hooks: Hooks) -> None:
    hooks.add("validating", "/dry", lambda _request: ALLOW)
    assert hooks.create("a", "?dryRun=All").code == 201
    assert hooks.asked("a")[0]["dryRun"] is True
    hooks.add("validating", "/effects", lambda _request: ALLOW, sideEffects="NoneOnDryRun")
    assert hooks.create("b", "?dryRun=All").code == 201


def test_slow_webhook_is_given_up_after_its_time(hooks: Hooks) -> None:
    def slow(_request: Any) -> Any:
        time.sleep(2)
        return ALLOW

    hooks.add("validating", "/slow", slow, timeoutSeconds=1)
    start = time.monotonic()
    answer = hooks.create("a")
    assert time.monotonic() - start < 2
    assert (answer.code, answer.body["reason"]) == (500, "InternalError")
    assert "deadline exceeded" in answer.body["message"]


HUGE = "x" * (9 * 1024 * 1024)
HOSTILE = {
    "wrong uid": {"uid": "other", "allowed": True},
    "huge": {"allowed": True, "auditAnnotations": {"a": HUGE}},
    "bad base64": {"allowed": True, "patchType": "JSONPatch", "patch": "%%%"},
    "bad patch": {"allowed": True, "patchType": "JSONPatch", "patch": base64.b64encode(b"{}").decode()},
    "no patch type known": {
        "allowed": True,
        "patchType": "Other",
        "patch": base64.b64encode(b"[{}]").decode(),
    },
}


@pytest.mark.parametrize("name", [*HOSTILE])
def test_hostile_answer_fails_the_write_and_nothing_else(hooks: Hooks, name: str) -> None:
    hooks.add("mutating", "/hostile", lambda _request: HOSTILE[name])
    assert hooks.create("a").code == 500
    hooks.forget()
    assert hooks.create("a").code == 201


def test_answer_that_is_not_quite_true_does_not_allow(hooks: Hooks) -> None:
    hooks.add("validating", "/odd", lambda _request: {"allowed": "false", "status": "none", "warnings": "x"})
    assert hooks.create("a").code == 400


def test_patch_cannot_move_the_object_elsewhere(hooks: Hooks) -> None:
    operations = [{"op": "replace", "path": "/metadata/name", "value": "elsewhere"}]
    patch = base64.b64encode(json.dumps(operations).encode()).decode()
    hooks.add("mutating", "/move", lambda _request: {**ALLOW, "patchType": "JSONPatch", "patch": patch})
    assert hooks.create("a").code >= 400
    assert hooks.api.get(f"{hooks.path}/elsewhere").code == 404


def test_annotations_of_webhooks_stand_in_the_audit_log(
    hooks: Hooks, pair: tuple[Running, Extension]
) -> None:
    note = {**ALLOW, "auditAnnotations": {"why": "because"}, "warnings": ["w" * 1000]}
    hooks.add("validating", "/note", lambda _request: note)
    answer = hooks.create("noted")
    assert answer.code == 201
    assert len(answer.warnings[0]) < 300
    log = pair[0].state.path("log", "audit.log")
    end = time.monotonic() + 5
    while '"note.example.com/why":"because"' not in log.read_text():  # written after the answer
        assert time.monotonic() < end
        time.sleep(0.02)
