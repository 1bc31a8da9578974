"""Strategic merge patch."""

from typing import Any

import pytest

from virtdeck.standalone.apiserver.patching.strategic import strategic_merge
from virtdeck.standalone.apiserver.problems import StatusError

POD = "core.v1.Pod"


def pod(*containers: dict[str, Any], **spec: Any) -> dict[str, Any]:
    return {"spec": {"containers": list(containers), **spec}}


def test_containers_merge_by_name() -> None:
    target = pod({"name": "a", "image": "1"}, {"name": "b", "image": "2"})
    patched = strategic_merge(target, pod({"name": "b", "tty": True}, {"name": "c", "image": "3"}), POD)
    assert patched == pod(
        {"name": "a", "image": "1"}, {"name": "b", "image": "2", "tty": True}, {"name": "c", "image": "3"}
    )


def test_environment_merges_inside_merged_containers() -> None:
    target = pod({"name": "a", "env": [{"name": "X", "value": "1"}, {"name": "Y", "value": "2"}]})
    patched = strategic_merge(target, pod({"name": "a", "env": [{"name": "Y", "value": "3"}]}), POD)
    assert patched["spec"]["containers"][0]["env"] == [
        {"name": "X", "value": "1"},
        {"name": "Y", "value": "3"},
    ]


def test_directives_delete_and_replace() -> None:
    target = pod({"name": "a"}, {"name": "b"}, nodeSelector={"x": "1"})
    assert strategic_merge(target, pod({"name": "a", "$patch": "delete"}), POD)["spec"]["containers"] == [
        {"name": "b"}
    ]
    replaced = strategic_merge(target, pod({"name": "z"}, {"$patch": "replace"}), POD)
    assert replaced["spec"]["containers"] == [{"name": "z"}]
    selector = {"spec": {"nodeSelector": {"$patch": "replace", "y": "2"}}}
    assert strategic_merge(target, selector, POD)["spec"]["nodeSelector"] == {"y": "2"}


def test_lists_without_keys_are_replaced_and_sets_are_joined() -> None:
    target = {"metadata": {"finalizers": ["a"]}, "spec": {"tolerations": [{"key": "a"}]}}
    patch = {"metadata": {"finalizers": ["b"]}, "spec": {"tolerations": [{"key": "b"}]}}
    patched = strategic_merge(target, patch, POD)
    assert patched["metadata"]["finalizers"] == ["b", "a"]
    assert patched["spec"]["tolerations"] == [{"key": "b"}]
    gone = {"metadata": {"$deleteFromPrimitiveList/finalizers": ["a"]}}
    assert strategic_merge(target, gone, POD)["metadata"]["finalizers"] == []


def test_order_is_as_asked() -> None:
    target = pod({"name": "a"}, {"name": "b"})
    patch = {
        "spec": {"$setElementOrder/containers": [{"name": "b"}, {"name": "a"}], "containers": [{"name": "b"}]}
    }
    assert [one["name"] for one in strategic_merge(target, patch, POD)["spec"]["containers"]] == ["b", "a"]


def test_null_removes_and_item_without_key_is_refused() -> None:
    assert strategic_merge({"spec": {"hostname": "x"}}, {"spec": {"hostname": None}}, POD) == {"spec": {}}
    with pytest.raises(StatusError, match="does not contain declared merge key: name"):
        strategic_merge(pod(), pod({"image": "x"}), POD)


@pytest.mark.parametrize(
    "patch",
    [
        {"spec": {"$retainKeys": 3}},
        {"metadata": {"$deleteFromPrimitiveList/finalizers": {"a": 1}}},
        {"spec": {"$setElementOrder/containers": None}},
    ],
)
def test_a_directive_that_is_no_list_is_refused(patch: dict[str, Any]) -> None:
    with pytest.raises(StatusError, match="must be a list") as found:
        strategic_merge(pod({"name": "a"}), patch, POD)
    assert found.value.code == 400
