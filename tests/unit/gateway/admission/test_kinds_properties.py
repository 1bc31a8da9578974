"""Whatever is sent of the other kinds, admission answers: with fields and sentences, changing nothing."""

import json
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.unit.crds.from_schema import from_schema
from tests.unit.gateway.admission.build import ALICE, CLUSTER, Plain
from tests.unit.gateway.admission.examples.example import gates

from virtdeck.crds import kinds
from virtdeck.crds.kinds import Kind
from virtdeck.crds.manifests import openapi_schema
from virtdeck.gateway.admission import ClusterConfig, Verdict
from virtdeck.gateway.admission.kinds.backup import validate_backup, validate_backup_tracker
from virtdeck.gateway.admission.kinds.clone import mutate_clone, validate_clone
from virtdeck.gateway.admission.kinds.export import validate_export
from virtdeck.gateway.admission.kinds.kubevirt import validate_kubevirt
from virtdeck.gateway.admission.kinds.migration import (
    mutate_migration,
    validate_migration_create,
    validate_migration_update,
)
from virtdeck.gateway.admission.kinds.migration_policy import validate_migration_policy
from virtdeck.gateway.admission.kinds.plugin import validate_plugin
from virtdeck.gateway.admission.kinds.pool import pooled_vm, validate_pool
from virtdeck.gateway.admission.kinds.preset import validate_preset
from virtdeck.gateway.admission.kinds.replica_set import validate_replica_set
from virtdeck.gateway.admission.kinds.restore import validate_restore_create, validate_restore_update
from virtdeck.gateway.admission.kinds.snapshot import validate_snapshot
from virtdeck.gateway.admission.kinds.template import validate_template

Validate = Callable[[Plain, Plain | None, ClusterConfig], Verdict]

_TRIES = settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
_OPEN = gates("Snapshot", "VMExport", "Plugins", "IncrementalBackup", "Template", template_deployment=True)
_PARTS = st.sampled_from(["${A}", "${{A}}", "${B}-${A}", "web", "[a-z]{2}", "1", ""])
_MACHINE = st.recursive(
    _PARTS | st.integers() | st.none(),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(_PARTS, inner, max_size=2),
    max_leaves=6,
)


def _by(validate: Any) -> Validate:
    return lambda obj, old, cluster: validate(obj, old, ALICE, cluster)


def _new(validate: Any) -> Validate:
    return lambda obj, _old, cluster: validate(obj, ALICE, cluster)


_CHECKED: list[tuple[Kind[Any], Validate]] = [
    (kinds.REPLICA_SET, _by(validate_replica_set)),
    (kinds.POOL, _by(validate_pool)),
    (kinds.PRESET, _by(validate_preset)),
    (kinds.MIGRATION, _new(validate_migration_create)),
    (kinds.MIGRATION, _by(validate_migration_update)),
    (kinds.MIGRATION_POLICY, _by(validate_migration_policy)),
    (kinds.CLONE, _by(validate_clone)),
    (kinds.SNAPSHOT, _by(validate_snapshot)),
    (kinds.RESTORE, _new(validate_restore_create)),
    (kinds.RESTORE, _by(validate_restore_update)),
    (kinds.BACKUP, _new(validate_backup)),
    (kinds.BACKUP_TRACKER, _new(validate_backup_tracker)),
    (kinds.EXPORT, _by(validate_export)),
    (kinds.PLUGIN, _by(validate_plugin)),
    (kinds.TEMPLATE, _by(validate_template)),
    (kinds.KUBEVIRT, _by(validate_kubevirt)),
]
_SPECS = {kind.plural: from_schema(openapi_schema(kind)["properties"]["spec"]) for kind, _ in _CHECKED}


@pytest.mark.parametrize(("kind", "validate"), _CHECKED, ids=[kind.plural for kind, _ in _CHECKED])
@_TRIES
@given(data=st.data())
def test_what_the_schema_lets_through_is_answered(
    kind: Kind[Any], validate: Validate, data: st.DataObject
) -> None:
    spec = data.draw(_SPECS[kind.plural])
    obj, before = _object(spec), _object(deepcopy(spec))
    _told(validate(obj, None, CLUSTER))
    _told(validate(obj, _object(data.draw(_SPECS[kind.plural])), _OPEN))
    assert obj == before
    json.dumps(obj)


@pytest.mark.parametrize(("kind", "validate"), _CHECKED, ids=[kind.plural for kind, _ in _CHECKED])
@pytest.mark.parametrize("spec", [None, 5, "", [], {}, {"template": None}, {"source": [], "selector": 3}])
def test_nonsense_is_answered(kind: Kind[Any], validate: Validate, spec: Any) -> None:
    for old in (None, {}, _object(spec)):
        _told(validate(_object(spec), old, _OPEN))
        _told(validate({"metadata": spec, "spec": spec}, old, CLUSTER))


@pytest.mark.parametrize(
    "spec", [None, 5, [], {}, {"virtualMachineTemplate": 3}, {"target": [], "source": 3}]
)
def test_nonsense_is_completed(spec: Any) -> None:
    for obj in ({"metadata": {}, "spec": spec}, {"metadata": spec, "spec": spec}, {}):
        mutate_clone(deepcopy(obj))
        mutate_migration(deepcopy(obj))
        pooled_vm(deepcopy(obj))


@_TRIES
@given(_MACHINE, _PARTS, st.booleans(), _PARTS)
def test_a_template_of_anything_is_answered(machine: Any, value: str, generate: bool, pattern: str) -> None:
    how = {"generate": "expression", "from": pattern} if generate else {}
    parameters = [{"name": "A", "value": value} | how, {"name": "B", "required": generate}]
    spec = {"virtualMachine": {"spec": machine, "metadata": machine}, "parameters": parameters}
    _told(validate_template(_object(spec), None, ALICE, CLUSTER))


def _object(spec: Any) -> Plain:
    return {"metadata": {"name": "a", "namespace": "default"}, "spec": spec}


def _told(verdict: Verdict) -> None:
    for cause in verdict.causes:
        assert cause.field
        assert cause.message
