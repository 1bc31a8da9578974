"""The audit log: levels, secrets, rotation."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from virtdeck.standalone.apiserver.access.identity import User
from virtdeck.standalone.apiserver.requests.call import Call
from virtdeck.standalone.apiserver.requests.targets import parse_target
from virtdeck.standalone.apiserver.telemetry.audit import Audit, AuditPolicy
from virtdeck.standalone.apiserver.telemetry.audit_entries import Ending

RECEIVED = datetime(2026, 1, 2, 3, 4, 5, 678, tzinfo=UTC)


async def nothing(*_message: Any) -> Any:
    raise AssertionError("nothing is sent or received here")


def call(method: str, path: str, body: Any = None) -> Call:
    scope: Any = {"type": "http", "path": path, "query_string": b"", "client": ("127.0.0.1", 1)}
    target = parse_target(method, path, {})
    user = User("ann", ("devs",))
    return Call(method, target, {}, {"user-agent": "t/1"}, user, scope, nothing, nothing, body=body)


def lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_entry_says_who_did_what_and_how_it_ended(tmp_path: Path) -> None:
    audit = Audit(str(tmp_path / "a"))
    one = call("POST", "/api/v1/namespaces/n/pods/p/eviction")
    one.caller = User("boss")
    ending = Ending(409, RECEIVED, "Conflict", "why", "allow", "RBAC: ...", ended=RECEIVED)
    audit.record(one, "id-1", ending)
    assert lines(tmp_path / "a") == [
        {
            "kind": "Event",
            "apiVersion": "audit.k8s.io/v1",
            "level": "Metadata",
            "auditID": "id-1",
            "stage": "ResponseComplete",
            "requestURI": "/api/v1/namespaces/n/pods/p/eviction",
            "verb": "create",
            "user": {"username": "boss", "groups": []},
            "impersonatedUser": {"username": "ann", "groups": ["devs"]},
            "sourceIPs": ["127.0.0.1"],
            "userAgent": "t/1",
            "objectRef": {
                "resource": "pods",
                "namespace": "n",
                "name": "p",
                "apiVersion": "v1",
                "subresource": "eviction",
            },
            "responseStatus": {
                "metadata": {},
                "code": 409,
                "status": "Failure",
                "message": "why",
                "reason": "Conflict",
            },
            "requestReceivedTimestamp": "2026-01-02T03:04:05.000678Z",
            "stageTimestamp": "2026-01-02T03:04:05.000678Z",
            "annotations": {
                "authorization.k8s.io/decision": "allow",
                "authorization.k8s.io/reason": "RBAC: ...",
            },
        }
    ]


@pytest.mark.parametrize(
    ("level", "reads", "method", "code", "written"),
    [
        ("Metadata", False, "GET", 200, []),
        ("Metadata", False, "GET", 403, ["Metadata"]),
        ("Metadata", True, "GET", 200, ["Metadata"]),
        ("Request", False, "POST", 201, ["Request"]),
        ("None", True, "POST", 201, []),
    ],
)
def test_policy_decides_what_is_written(
    tmp_path: Path, level: str, reads: bool, method: str, code: int, written: list[str]
) -> None:
    path = tmp_path / "a"
    path.touch()
    Audit(str(path), AuditPolicy(level, reads)).record(
        call(method, "/api/v1/namespaces/n/pods"), "i", Ending(code, RECEIVED)
    )
    assert [one["level"] for one in lines(path)] == written


@pytest.mark.parametrize(
    "path",
    [
        "/api/v1/namespaces/n/secrets",
        "/api/v1/namespaces/n/serviceaccounts/s/token",
        "/apis/authentication.k8s.io/v1/tokenreviews",
    ],
)
def test_bodies_of_secrets_and_tokens_are_never_written(tmp_path: Path, path: str) -> None:
    audit = Audit(str(tmp_path / "a"), AuditPolicy("RequestResponse"))
    ending = Ending(201, RECEIVED)
    ending.body = {"data": "hidden"}
    audit.record(call("POST", path, {"data": "hidden"}), "i", ending)
    audit.record(call("POST", "/api/v1/namespaces/n/pods", {"data": "shown"}), "i", ending)
    secret, pod = lines(tmp_path / "a")
    assert secret["level"] == "Metadata"
    assert "hidden" not in json.dumps(secret)
    assert (pod["requestObject"], pod["responseObject"]) == ({"data": "shown"}, {"data": "hidden"})


def test_files_rotate_and_the_oldest_goes(tmp_path: Path) -> None:
    audit = Audit(str(tmp_path / "a"), AuditPolicy(file_bytes=1, backups=2))
    for number in range(5):
        audit.record(call("POST", "/api/v1/namespaces"), f"id-{number}", Ending(201, RECEIVED))
    kept = {path.name: [one["auditID"] for one in lines(path)] for path in tmp_path.iterdir()}
    assert kept == {"a": [], "a.1": ["id-4"], "a.2": ["id-3"]}
