"""Fields of a pod as files, in Kubernetes' own form."""

from typing import Any

import pytest
from tests.unit.standalone.runner.builders import a_pod

from virtdeck.basis.errors import Invalid
from virtdeck.crds.codec import decode, to_dict
from virtdeck.crds.core.pod import Pod
from virtdeck.crds.core.references import DownwardAPIVolumeFile
from virtdeck.standalone.runner.downward import downward_text


def text(pod: Pod, **source: Any) -> str:
    return downward_text(pod, decode({"path": "f", **source}, DownwardAPIVolumeFile))


def field(pod: Pod, path: str) -> str:
    return text(pod, fieldRef={"fieldPath": path})


def labelled(**entries: str) -> Pod:
    plain = to_dict(a_pod())
    plain["metadata"]["labels"] = entries
    return decode(plain, Pod)


def amount(resource: str, divisor: str | None = None, container: str = "compute") -> str:
    given = {"limits": {"memory": "65Mi"}, "requests": {"cpu": "250m", "memory": "64Mi"}}
    source = {"containerName": container, "resource": resource} | ({"divisor": divisor} if divisor else {})
    return text(a_pod(resources=given), resourceFieldRef=source)


@pytest.mark.parametrize(
    ("path", "shown"), [("metadata.name", "p"), ("metadata.namespace", "ns"), ("metadata.uid", "u1")]
)
def test_identity(path: str, shown: str) -> None:
    assert field(a_pod(), path) == shown


def test_labels_are_lines_in_order_with_quoted_values() -> None:
    pod = labelled(b='say "hi"', a="1\n2\\", c="\x01é\u200b")
    assert field(pod, "metadata.labels") == 'a="1\\n2\\\\"\nb="say \\"hi\\""\nc="\\x01é\\u200b"'


def test_one_label_is_shown_as_it_is() -> None:
    pod = labelled(**{"app.kubernetes.io/name": "x"})
    assert field(pod, "metadata.labels['app.kubernetes.io/name']") == "x"
    assert field(pod, "metadata.annotations['app.kubernetes.io/name']") == ""


@pytest.mark.parametrize(
    ("resource", "divisor", "shown"),
    [
        ("limits.memory", None, str(65 << 20)),
        ("limits.memory", "64Mi", "2"),
        ("requests.cpu", None, "1"),
        ("requests.cpu", "1m", "250"),
        ("requests.memory", "1Mi", "64"),
        ("requests.ephemeral-storage", None, "0"),
    ],
)
def test_amounts_are_whole_divisors_rounded_up(resource: str, divisor: str | None, shown: str) -> None:
    assert amount(resource, divisor) == shown


def test_without_a_limit_the_node_is_the_limit() -> None:
    assert int(amount("limits.cpu")) >= 1


def test_what_is_no_field_of_a_volume_is_refused() -> None:
    with pytest.raises(Invalid, match=r"spec\.nodeName"):
        field(a_pod(), "spec.nodeName")
    with pytest.raises(Invalid, match="the container other"):
        amount("limits.cpu", container="other")
    with pytest.raises(Invalid, match="names no field"):
        text(a_pod())
