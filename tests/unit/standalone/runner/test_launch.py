"""Which pods are run, and the reason that each other one hears."""

from typing import Any

import pytest
from tests.unit.standalone.runner.builders import IMAGE, a_pod

from virtdeck.basis.errors import Invalid
from virtdeck.standalone.runner.launch import read_launch


def test_a_launcher_pod_is_read_whole() -> None:
    launch = read_launch(
        a_pod(
            {"securityContext": {"fsGroup": 109, "supplementalGroups": [5]}, "hostname": "vm1"},
            resources={"limits": {"memory": "1Gi"}, "requests": {"devices.kubevirt.io/kvm": "1"}},
            env=[{"name": "A", "value": "b"}],
        ),
        IMAGE,
    )
    assert (launch.uid, launch.gid, launch.groups) == (107, 108, (5, 109))
    assert (launch.args, launch.env, launch.hostname) == (("--name", "n"), (("A", "b"),), "vm1")
    assert (launch.memory_limit, launch.kvm, launch.capabilities) == (1 << 30, True, ())


def test_another_version_of_the_launcher_is_run() -> None:
    assert read_launch(a_pod(image="virtdeck/launcher:0.0.9"), IMAGE).container == "compute"


@pytest.mark.parametrize(
    ("spec", "container", "reason"),
    [
        ({}, {"image": "nginx"}, "its image is nginx"),
        ({}, {"image": "virtdeck/launcher-evil:1"}, "its image is"),
        ({}, {"image": None}, "its image is"),
        ({}, {"command": ["sh"]}, "command of its own"),
        ({}, {"securityContext": {"runAsUser": 0}}, "which user but root"),
        ({}, {"securityContext": {}}, "which user but root"),
        ({}, {"securityContext": {"runAsUser": 1, "privileged": True}}, "privileged"),
        ({}, {"securityContext": {"runAsUser": 1, "capabilities": {"add": ["SYS_ADMIN"]}}}, "SYS_ADMIN"),
        ({}, {"securityContext": {"runAsUser": 1, "capabilities": {"add": ["CAP_NET_RAW"]}}}, "NET_RAW"),
        ({"hostNetwork": True}, {}, "host_network"),
        ({"hostPID": True}, {}, "host_pid"),
        ({"hostIPC": True}, {}, "host_ipc"),
        ({"restartPolicy": "Always"}, {}, "restartPolicy"),
        ({"initContainers": [{"name": "i"}]}, {}, "exactly one container"),
        ({"containers": []}, {}, "exactly one container"),
        ({"volumes": [{"name": "v", "hostPath": {"path": "/"}}]}, {}, "the volume v"),
        (
            {"volumes": [{"name": "v", "emptyDir": {}}]},
            {"volumeMounts": [{"name": "v", "mountPath": "x"}]},
            "absolute",
        ),
        (
            {"volumes": [{"name": "v", "emptyDir": {}}]},
            {"volumeMounts": [{"name": "v", "mountPath": "/a/../../etc"}]},
            "absolute",
        ),
        (
            {"volumes": [{"name": "v", "emptyDir": {}}]},
            {"volumeMounts": [{"name": "v", "mountPath": "/a", "subPath": "b"}]},
            "subPath",
        ),
        ({}, {"volumeMounts": [{"name": "w", "mountPath": "/a"}]}, "no volume of it"),
    ],
)
def test_any_other_pod_is_refused_with_its_reason(
    spec: dict[str, Any], container: dict[str, Any], reason: str
) -> None:
    with pytest.raises(Invalid, match=reason) as refusal:
        read_launch(a_pod(spec, **container), IMAGE)
    assert refusal.value.reason == "UnsupportedPod"
