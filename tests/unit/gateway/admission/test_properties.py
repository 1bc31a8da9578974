"""Whatever is sent, admission answers; and completing twice is completing once."""

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.unit.crds.from_schema import from_schema
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
_SPEC = from_schema(openapi_schema(VMI)["properties"]["spec"])
_VM_SPEC = from_schema(openapi_schema(VM)["properties"]["spec"])
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
