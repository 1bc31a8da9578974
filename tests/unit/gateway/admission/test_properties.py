"""Whatever is sent, admission answers; and completing twice is completing once."""

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.unit.gateway.admission.build import ALICE, CLUSTER, FRESH, Plain, vm, vmi

from virtdeck.crds.kinds import VM, VMI
from virtdeck.crds.manifests import openapi_schema
from virtdeck.gateway.admission import (
    ClusterConfig,
    mutate_vm,
    mutate_vmi,
    validate_launcher_pod,
    validate_vm,
    validate_vmi_create,
    validate_vmi_update,
)

FIXTURES = Path(__file__).parents[3] / "data" / "kubevirt" / "api-fixtures"
LIVE = ClusterConfig(live_update=True, enabled_gates=frozenset({"HostDisk", "Sidecar", "VSOCK"}))
_SCALARS = (
    st.none() | st.booleans() | st.integers(-3, 2**64) | st.floats(allow_nan=False) | st.text(max_size=8)
)
_ANYTHING = st.recursive(
    _SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
_TEXTS = st.sampled_from(
    ["", "root", "default", "1Gi", "-1", "sata", "virtio", "/", "../x", "x" * 300]
) | st.text(max_size=6)


def _from_schema(schema: Plain) -> st.SearchStrategy[Any]:
    """Values that the API server would let through."""
    if schema.get("x-kubernetes-int-or-string"):
        return st.sampled_from(["1Gi", "128Mi", "100m", "1e3", "-1", "0", "junk"]) | st.integers(-1, 2**40)
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if schema["type"] == "array":
        return st.lists(_from_schema(schema["items"]), max_size=2)
    scalars = {"string": _TEXTS, "boolean": st.booleans()}
    return (
        _object(schema)
        if schema["type"] == "object"
        else scalars.get(schema["type"], st.integers(-2, 70_000))
    )


def _object(schema: Plain) -> st.SearchStrategy[Any]:
    if schema.get("x-kubernetes-preserve-unknown-fields"):
        return st.just({})
    if "additionalProperties" in schema:
        return st.dictionaries(_TEXTS, _from_schema(schema["additionalProperties"]), max_size=2)
    required = set(schema.get("required", ()))
    named = {
        name: st.deferred(lambda prop=prop: _from_schema(prop))
        for name, prop in schema.get("properties", {}).items()
    }  # type: ignore[misc]
    must = {name: strategy for name, strategy in named.items() if name in required}
    return _some_of(must, {name: strategy for name, strategy in named.items() if name not in required})


@st.composite
def _some_of(draw: st.DrawFn, must: dict[str, Any], may: dict[str, Any]) -> Plain:
    chosen = draw(st.lists(st.sampled_from(sorted(may)), max_size=5, unique=True)) if may else []
    return {name: draw(strategy) for name, strategy in must.items()} | {
        name: draw(may[name]) for name in chosen
    }


_SPEC = _from_schema(openapi_schema(VMI)["properties"]["spec"])
_VM_SPEC = _from_schema(openapi_schema(VM)["properties"]["spec"])
_TRIES = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))


@_TRIES
@given(_SPEC)
def test_a_vmi_is_answered_and_completing_it_twice_is_completing_it_once(spec: Plain) -> None:
    for cluster in (CLUSTER, LIVE):
        made = mutate_vmi(vmi() | {"spec": deepcopy(spec)}, None, ALICE, cluster, FRESH)
        assert mutate_vmi(made, None, ALICE, cluster, FRESH) == made
        for cause in validate_vmi_create(made, None, ALICE, cluster).causes:
            assert cause.field
            assert cause.message
        json.dumps(made)


@_TRIES
@given(_VM_SPEC)
def test_a_vm_is_answered_and_completing_it_twice_is_completing_it_once(spec: Plain) -> None:
    made = mutate_vm(vm() | {"spec": deepcopy(spec)}, None, CLUSTER, FRESH)
    assert mutate_vm(made, None, CLUSTER, FRESH) == made
    before = deepcopy(made)
    validate_vm(made, None, ALICE, LIVE)
    assert made == before


@_TRIES
@given(_ANYTHING, _ANYTHING)
def test_nonsense_is_answered(spec: Any, metadata: Any) -> None:
    obj = {"metadata": metadata, "spec": spec}
    for old in (None, obj, vmi(), vm()):
        validate_vm(mutate_vm(obj, old, CLUSTER, FRESH), old, ALICE, CLUSTER)
        made = mutate_vmi(obj, old, ALICE, CLUSTER, FRESH)
        validate_vmi_create(made, old, ALICE, CLUSTER)
        validate_vmi_update(made, old, ALICE, CLUSTER)
        validate_launcher_pod(obj, old, ALICE, CLUSTER)


@pytest.mark.parametrize("kind", ["VirtualMachine", "VirtualMachineInstance"])
def test_an_object_with_every_field_is_answered(kind: str) -> None:
    obj = yaml.safe_load((FIXTURES / f"kubevirt.io.v1.{kind}.yaml").read_text())
    obj["metadata"].pop("deletionTimestamp")
    if kind == "VirtualMachine":
        verdict = validate_vm(mutate_vm(obj, None, CLUSTER, FRESH), None, ALICE, CLUSTER)
    else:
        verdict = validate_vmi_create(mutate_vmi(obj, None, ALICE, CLUSTER, FRESH), None, ALICE, CLUSTER)
    assert len(verdict.causes) > 100
