"""What a container may touch."""

from typing import Any

from tests.unit.standalone.runner.builders import IMAGE, a_pod

from virtdeck.crds.core.pod import Pod
from virtdeck.standalone.runner.container_spec import Ground, container_spec
from virtdeck.standalone.runner.launch import read_launch

VOLUMES: dict[str, Any] = {
    "volumes": [
        {"name": "private", "emptyDir": {}},
        {"name": "deep", "emptyDir": {}},
        {"name": "disk", "image": {"reference": "a/b"}},
        {"name": "seed", "secret": {"secretName": "s"}},
    ]
}
MOUNTS = [
    {"name": "deep", "mountPath": "/run/a/b"},
    {"name": "private", "mountPath": "/run/a"},
    {"name": "disk", "mountPath": "/run/disk"},
    {"name": "seed", "mountPath": "/run/seed"},
]


def spec_of(pod: Pod) -> dict[str, Any]:
    ground = Ground(
        root="/s/root",
        etc="/s/etc",
        program=("/v/bin/python", "-m", "virtdeck.launcher"),
        programs=("/src", "/v"),
        source="/src",
        volumes={name: f"/pods/{name}" for name in ("private", "deep", "disk", "seed")},
        capabilities_cache="/s/capabilities",
        network_namespace="/run/netns/x",
        cgroup="/virtdeck-1/u1",
        pids_limit=100,
    )
    return container_spec(read_launch(pod, IMAGE), ground, {})


def mounts_of(spec: dict[str, Any]) -> dict[str, list[str]]:
    return {mount["destination"]: mount["options"] for mount in spec["mounts"]}


def devices_of(spec: dict[str, Any]) -> list[str]:
    return [device["path"] for device in spec["linux"]["devices"]]


def test_only_empty_dirs_can_be_written() -> None:
    mounts = mounts_of(spec_of(a_pod(VOLUMES, volumeMounts=MOUNTS)))
    writable = {path for path, options in mounts.items() if "ro" not in options}
    assert writable == {
        "/proc", "/dev", "/dev/pts", "/dev/shm", "/dev/mqueue", "/run", "/tmp", "/run/a", "/run/a/b",
    }  # fmt: skip
    assert "ro" in mounts["/usr"]
    assert "ro" in mounts["/etc"]


def test_nothing_of_the_host_is_mounted_but_what_is_named() -> None:
    spec = spec_of(a_pod(VOLUMES, volumeMounts=MOUNTS))
    sources = {mount["source"] for mount in spec["mounts"] if mount["type"] == "bind"}
    volumes = {f"/pods/{name}" for name in ("private", "deep", "disk", "seed")}
    assert sources == {"/usr", "/s/etc", "/src", "/v", "/s/capabilities"} | volumes


def test_a_mount_inside_another_comes_after_it() -> None:
    order = list(mounts_of(spec_of(a_pod(VOLUMES, volumeMounts=MOUNTS))))
    assert order.index("/run/a") < order.index("/run/a/b")


def test_there_is_no_capability_and_no_way_to_get_one() -> None:
    process = spec_of(a_pod())["process"]
    assert set(map(tuple, process["capabilities"].values())) == {()}
    assert process["noNewPrivileges"] is True
    assert process["user"]["uid"] == 107


def test_kvm_is_there_only_for_those_who_ask() -> None:
    assert devices_of(spec_of(a_pod())) == ["/dev/net/tun"]
    asked = a_pod(resources={"limits": {"devices.kubevirt.io/kvm": "1"}})
    assert devices_of(spec_of(asked)) == ["/dev/net/tun", "/dev/kvm"]


def test_devices_are_denied_before_they_are_allowed() -> None:
    rules = spec_of(a_pod())["linux"]["resources"]["devices"]
    assert rules[0] == {"allow": False, "access": "rwm"}
    assert all("m" not in rule["access"] for rule in rules[1:])


def test_memory_is_limited_only_when_the_pod_has_a_limit() -> None:
    assert "memory" not in spec_of(a_pod())["linux"]["resources"]
    limited = a_pod(resources={"limits": {"memory": "1Gi"}})
    assert spec_of(limited)["linux"]["resources"]["memory"] == {"limit": 1 << 30}
