"""Whatever bytes the webhooks are sent, they answer, or say that they cannot read it, and soon."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
import yaml
from tests.fuzz.mutator import bounded, cases, damaged_bytes, damaged_json, nested

from virtdeck.basis.errors import Bug, Invalid
from virtdeck.gateway.admission import (
    ClusterConfig,
    Fresh,
    mutate_vm,
    mutate_vmi,
    validate_launcher_pod,
    validate_vm,
    validate_vm_delete,
    validate_vm_status,
    validate_vmi_create,
    validate_vmi_update,
)
from virtdeck.gateway.auth.user import User
from virtdeck.gateway.webhooks.app import answered
from virtdeck.gateway.webhooks.outcomes import outcome_of
from virtdeck.gateway.webhooks.review import Outcome, Review, decode_review

FIXTURES = Path(__file__).parents[1] / "data" / "kubevirt" / "api-fixtures"
EXAMPLES = Path(__file__).parents[1] / "data" / "kubevirt" / "examples"
CLUSTERS = (
    ClusterConfig(),
    ClusterConfig(live_update=True, enabled_gates=frozenset({"HostDisk", "VSOCK", "Root"})),
)
HANDLER = User("system:serviceaccount:kubevirt:kubevirt-handler")
_FRESH = Fresh("2026-01-31T12:00:00Z", lambda: "5d307ca9-b3ef-428c-8861-06e72d69f223")

Judge = Callable[[Review, ClusterConfig], Outcome]
HOOKS: dict[str, Judge] = {
    "mutate_vm": lambda r, c: Outcome(obj=mutate_vm(r.obj or {}, r.old, c, _FRESH)),
    "mutate_vmi": lambda r, c: Outcome(obj=mutate_vmi(r.obj or {}, r.old, r.user, c, _FRESH)),
    "validate_vm": lambda r, c: outcome_of(validate_vm(r.obj or {}, r.old, r.user, c)),
    "validate_vm_status": lambda r, c: outcome_of(validate_vm_status(r.obj or {}, r.old, r.user, c)),
    "validate_vm_delete": lambda r, c: outcome_of(validate_vm_delete(r.old or {}, r.user, c)),
    "create_vmi": lambda r, c: outcome_of(validate_vmi_create(r.obj or {}, None, r.user, c)),
    "update_vmi": lambda r, c: outcome_of(validate_vmi_update(r.obj or {}, r.old, r.user, c)),
    "launcher_pod": lambda r, c: outcome_of(validate_launcher_pod(r.obj or {}, r.old, HANDLER, c)),
}


def _seeds() -> list[dict[str, Any]]:
    """Objects with every field, and a few ordinary ones."""
    full = [FIXTURES / f"kubevirt.io.v1.{kind}.yaml" for kind in ("VirtualMachine", "VirtualMachineInstance")]
    usual = [
        EXAMPLES / f"{name}.yaml" for name in ("vm-cirros", "vmi-kernel-boot", "vmi-masquerade", "vmi-sriov")
    ]
    found = [obj for path in full + usual for obj in yaml.safe_load_all(path.read_text())]
    for obj in found:
        obj["metadata"].pop("deletionTimestamp", None)
    return found


SEEDS = _seeds()


def _review(obj: Any, old: Any = None) -> bytes:
    request: dict[str, Any] = {
        "uid": "u",
        "operation": "UPDATE" if old else "CREATE",
        "kind": {"kind": "VirtualMachine"},
    }
    request |= {"object": obj, "oldObject": old, "userInfo": {"username": "ann", "groups": ["a"]}}
    asked = {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request}
    return json.dumps(asked).encode("utf-8", "surrogatepass")


def _asked(judge: Judge, cluster: ClusterConfig, review: Review) -> Outcome:
    return judge(review, cluster)


def _judge(body: bytes) -> None:
    """Every hook has answered with a review, each as if the API server had sent the bytes to it alone."""
    review = decode_review(body)
    for cluster in CLUSTERS:
        for judge in HOOKS.values():
            answer = anyio.run(
                answered, lambda found, judge=judge, cluster=cluster: judge(found, cluster), review
            )
            response = json.loads(answer)["response"]
            assert response["allowed"] or response["status"]["message"]


def _judge_quickly(body: bytes) -> None:
    bounded(repr(body), lambda: _judge(body), Invalid)


@pytest.mark.timeout(3600)
def test_damaged_bytes_are_answered_or_refused() -> None:
    bodies = [_review(obj) for obj in SEEDS]
    for chance in cases(400):
        _judge_quickly(damaged_bytes(chance, chance.choice(bodies)))


@pytest.mark.timeout(3600)
def test_damaged_objects_are_answered() -> None:
    for chance in cases(250):
        obj = chance.choice(SEEDS)
        old = chance.choice((None, obj, damaged_json(chance, obj)))
        _judge_quickly(_review(damaged_json(chance, obj), old))


@pytest.mark.timeout(3600)
def test_nested_objects_are_answered() -> None:
    for chance in cases(60):
        obj = damaged_json(chance, SEEDS[0])
        if isinstance(obj, dict):
            obj["metadata"] = nested(chance, obj.get("metadata"))
            _judge_quickly(_review(obj))


def test_a_hook_that_breaks_would_be_seen() -> None:
    def broken(_: Review) -> Outcome:
        raise KeyError("x")

    with pytest.raises(AssertionError, match="Bug"):
        bounded("{}", lambda: anyio.run(answered, broken, decode_review(_review({}))), Invalid)
    assert issubclass(Bug, Exception)
