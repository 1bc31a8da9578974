"""KubeVirt's own objects go in and come out with nothing lost."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from virtdeck.crds import codec, kinds

DATA = Path(__file__).parents[2] / "data" / "kubevirt"


def _documents() -> list[Any]:
    found = []
    for path in sorted(DATA.glob("*/*.yaml")):
        for number, doc in enumerate(yaml.safe_load_all(path.read_text())):
            kind = kinds.find_kind(doc["apiVersion"], doc["kind"]) if doc else None
            if kind in kinds.CUSTOM:
                found.append(pytest.param(kind, doc, id=f"{path.stem}-{number}"))
    return found


@pytest.mark.parametrize(("kind", "doc"), _documents())
def test_an_object_comes_back_as_it_went_in(kind: kinds.Kind[Any], doc: dict[str, Any]) -> None:
    text = json.dumps(doc).encode()
    typed = codec.decode(text, kind.type)
    assert json.loads(codec.encode(typed)) == doc
    assert codec.to_dict(codec.decode(doc, kind.type)) == doc


def test_there_is_something_to_compare() -> None:
    assert len(_documents()) > 30


def test_empty_false_and_zero_survive() -> None:
    doc = {
        "apiVersion": "kubevirt.io/v1",
        "kind": "VirtualMachine",
        "metadata": {"name": "a", "labels": {}},
        "spec": {
            "running": False,
            "template": {
                "spec": {
                    "terminationGracePeriodSeconds": 0,
                    "domain": {"devices": {"rng": {}, "disks": []}},
                    "networks": [{"name": "default", "pod": {}}],
                }
            },
        },
    }
    assert codec.to_dict(codec.decode(doc, kinds.VM.type)) == doc


def test_a_null_counts_as_absent() -> None:
    vm = codec.decode(
        {
            "metadata": {"name": "a", "creationTimestamp": None},
            "spec": {
                "template": {"metadata": {"creationTimestamp": None}, "spec": {"domain": {"devices": {}}}}
            },
        },
        kinds.VM.type,
    )
    assert vm.metadata.creation_timestamp is None
