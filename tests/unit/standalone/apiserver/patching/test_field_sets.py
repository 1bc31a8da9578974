"""Sets of fields as trees: what differs, what is stated, and the algebra of sets."""

from typing import Any

import pytest

from virtdeck.standalone.apiserver.patching.field_sets import (
    compare,
    difference,
    everything,
    intersection,
    paths,
    show_path,
    stated,
    union,
)
from virtdeck.standalone.apiserver.patching.shapes import Structural, shape_of
from virtdeck.standalone.apiserver.resources.builtin import builtin_resources

POD = shape_of(next(one for one in builtin_resources() if one.kind == "Pod"))
FREE = Structural({"type": "object", "x-kubernetes-preserve-unknown-fields": True})
LEFT: Any = {"f:a": {}, "f:b": {".": {}, "f:c": {}}, "f:d": {"f:e": {}, "f:f": {}}}
RIGHT: Any = {"f:a": {}, "f:b": {"f:c": {}}, "f:d": {".": {}, "f:e": {}}, "f:g": {}}


def pod(*containers: Any, **more: Any) -> Any:
    return {"spec": {"containers": list(containers), **more}}


def test_what_was_not_there_is_new_with_everything_around_it() -> None:
    changed, gone = compare({"spec": {}}, pod({"name": "a", "ports": [{"containerPort": 1}]}), POD)
    port: Any = {'k:{"containerPort":1,"protocol":"TCP"}': {".": {}, "f:containerPort": {}}}
    container = {".": {}, "f:name": {}, "f:ports": {".": {}, **port}}
    assert changed == {"f:spec": {"f:containers": {".": {}, 'k:{"name":"a"}': container}}}
    assert gone is None


def test_only_what_differs_is_changed_and_only_what_went_is_gone() -> None:
    old = pod({"name": "a", "image": "1"}, {"name": "b", "image": "1"}, nodeSelector={"x": "1", "y": "1"})
    new = pod({"name": "a", "image": "2"}, nodeSelector={"x": "1", "z": "1"})
    changed, gone = compare(old, new, POD)
    assert changed == {
        "f:spec": {"f:containers": {'k:{"name":"a"}': {"f:image": {}}}, "f:nodeSelector": {"f:z": {}}}
    }
    item: Any = {".": {}, "f:image": {}, "f:name": {}}
    assert gone == {"f:spec": {"f:containers": {'k:{"name":"b"}': item}, "f:nodeSelector": {"f:y": {}}}}


def test_lists_without_keys_and_atomic_maps_are_one_value() -> None:
    old, new = pod(tolerations=[{"key": "a"}]), pod(tolerations=[{"key": "a"}, {"key": "b"}])
    assert compare(old, new, POD)[0] == {"f:spec": {"f:tolerations": {}}}
    selector = pod(imagePullSecrets=[{"name": "s"}])
    assert everything(selector["spec"]["imagePullSecrets"], POD.field("spec").field("imagePullSecrets")) == {
        ".": {},
        'k:{"name":"s"}': {},
    }


def test_configuration_states_leaves_items_and_keys_that_its_writer_chose() -> None:
    assert stated(pod({"name": "a"}, nodeSelector={"x": "1"}, securityContext={}, volumes=[]), POD) == {
        "f:spec": {
            "f:containers": {'k:{"name":"a"}': {".": {}, "f:name": {}}},
            "f:nodeSelector": {"f:x": {}},
            "f:securityContext": {},
        }
    }
    assert stated({"a": {"b": 1}}, FREE) == {"f:a": {".": {}, "f:b": {}}}


def test_set_algebra() -> None:
    assert union(LEFT, RIGHT) == {
        "f:a": {},
        "f:b": {".": {}, "f:c": {}},
        "f:d": {".": {}, "f:e": {}, "f:f": {}},
        "f:g": {},
    }
    assert difference(LEFT, RIGHT) == {"f:b": {}, "f:d": {"f:f": {}}}
    assert intersection(LEFT, RIGHT) == {"f:a": {}, "f:b": {"f:c": {}}, "f:d": {"f:e": {}}}


@pytest.mark.parametrize(("left", "right"), [(LEFT, RIGHT), (RIGHT, LEFT), (LEFT, LEFT), (LEFT, {})])
def test_sets_agree_with_sets_of_paths(left: Any, right: Any) -> None:
    a, b = set(paths(left)), set(paths(right))
    assert set(paths(union(left, right))) == a | b
    assert set(paths(difference(left, right))) == a - b
    assert set(paths(intersection(left, right))) == a & b


def test_paths_are_shown_as_conflicts_name_them() -> None:
    path = ("f:spec", "f:ports", 'k:{"port":80,"protocol":"TCP"}', "f:name")
    assert show_path(path) == '.spec.ports[port=80,protocol="TCP"].name'
    assert show_path(("f:metadata", "f:finalizers", 'v:"x"')) == '.metadata.finalizers[="x"]'
