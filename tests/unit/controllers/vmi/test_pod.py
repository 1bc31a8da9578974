"""The launcher pod that a VMI is rendered to."""

from typing import Any

import pytest
from tests.unit.controllers.builders import LAUNCHER, pod, vmi

from virtdeck.controllers.cluster import ClusterConfig, cluster_config
from virtdeck.controllers.vmi.pod import render_pod
from virtdeck.controllers.vmi.pod_name import claims_vmi, is_own_pod, pod_name
from virtdeck.controllers.vmi.pod_resources import MIB, overhead_bytes, pod_resources
from virtdeck.crds.codec import decode, to_dict
from virtdeck.crds.core.pod import Pod
from virtdeck.crds.kubevirt.kubevirt import KubeVirt

EMULATED = ClusterConfig(use_emulation=True)
BARE = {"devices": {"autoattachGraphicsDevice": False}, "memory": {"guest": "512Mi"}}


def rendered(**over: Any) -> dict[str, Any]:
    return to_dict(render_pod(vmi("Pending", **over), LAUNCHER, EMULATED))


def test_the_pod_is_as_the_contract_says() -> None:
    made = rendered(
        metadata={"labels": {"app": "db"}, "annotations": {"note": "x", "kubectl.kubernetes.io/a": "y"}}
    )
    meta, spec = made["metadata"], made["spec"]
    assert meta["name"] == "virt-launcher-v-f4acb" == pod_name(vmi())
    assert meta["labels"] == {
        "app": "db",
        "kubevirt.io": "virt-launcher",
        "kubevirt.io/created-by": "vmi-1",
        "vm.kubevirt.io/name": "v",
    }
    assert meta["annotations"]["kubevirt.io/domain"] == "v"
    assert meta["annotations"]["kubectl.kubernetes.io/default-container"] == "compute"
    assert meta["annotations"]["note"] == "x"
    assert "kubectl.kubernetes.io/a" not in meta["annotations"]
    assert meta["ownerReferences"] == [
        {
            "apiVersion": "kubevirt.io/v1",
            "kind": "VirtualMachineInstance",
            "name": "v",
            "uid": "vmi-1",
            "controller": True,
            "blockOwnerDeletion": True,
        }
    ]
    assert (spec["restartPolicy"], spec["terminationGracePeriodSeconds"]) == ("Never", 60)
    assert spec["readinessGates"] == [{"conditionType": "kubevirt.io/virtual-machine-unpaused"}]
    assert (spec["automountServiceAccountToken"], spec["enableServiceLinks"]) == (False, False)
    (compute,) = spec["containers"]
    assert (compute["name"], compute["image"]) == ("compute", "launcher:1")
    assert compute["args"] == ["--name", "v", "--namespace", "ns", "--uid", "vmi-1"]
    assert compute["securityContext"] == {
        "runAsUser": 107,
        "runAsGroup": 107,
        "runAsNonRoot": True,
        "allowPrivilegeEscalation": False,
        "capabilities": {"drop": ["ALL"]},
    }
    assert {m["name"]: m["mountPath"] for m in compute["volumeMounts"]} == {
        "private": "/run/kubevirt-private",
        "libvirt-runtime": "/run/libvirt",
        "ephemeral-disks": "/run/kubevirt-ephemeral-disks",
    }


def test_sources_become_volumes() -> None:
    volumes = [
        {
            "name": "root",
            "containerDisk": {"image": "demo", "imagePullPolicy": "Always", "imagePullSecret": "s1"},
        },
        {
            "name": "seed",
            "cloudInitNoCloud": {"secretRef": {"name": "user"}, "networkDataSecretRef": {"name": "net"}},
        },
        {"name": "claim", "persistentVolumeClaim": {"claimName": "c1"}},
        {"name": "scratch", "emptyDisk": {"capacity": "1Gi"}},
    ]
    kernel = {"container": {"image": "kernel", "kernelPath": "/vmlinuz", "imagePullSecret": "s1"}}
    domain = {**BARE, "firmware": {"kernelBoot": kernel}}
    spec = rendered(spec={"volumes": volumes, "domain": domain})["spec"]
    found = {v["name"]: v for v in spec["volumes"]}
    assert found["root"]["image"] == {"reference": "demo", "pullPolicy": "Always"}
    assert found["seed-udata"]["secret"] == {"secretName": "user"}
    assert found["seed-ndata"]["secret"] == {"secretName": "net"}
    assert found["claim"]["persistentVolumeClaim"] == {"claimName": "c1"}
    assert found["kernel-boot"]["image"] == {"reference": "kernel"}
    assert "scratch" not in found
    mounts = {m["name"]: (m["mountPath"], m.get("readOnly")) for m in spec["containers"][0]["volumeMounts"]}
    assert mounts["root"] == ("/run/kubevirt/container-disks/root", True)
    assert mounts["seed-udata"] == ("/run/kubevirt/secrets/seed-udata", True)
    assert mounts["kernel-boot"] == ("/run/kubevirt/kernel-boot", True)
    assert spec["imagePullSecrets"] == [{"name": "s1"}]


def test_volumes_with_files_are_mounted_for_the_launcher_to_make_disks_of() -> None:
    fields = [
        {"path": "labels", "fieldRef": {"fieldPath": "metadata.labels"}},
        {"path": "memory", "resourceFieldRef": {"resource": "limits.memory"}},
    ]
    volumes = [
        {"name": "config", "configMap": {"name": "c", "optional": True, "volumeLabel": "x"}},
        {"name": "hidden", "secret": {"secretName": "s"}},
        {"name": "fields", "downwardAPI": {"fields": fields}},
    ]
    spec = rendered(spec={"volumes": volumes, "domain": BARE})["spec"]
    found = {v["name"]: v for v in spec["volumes"]}
    assert found["config"]["configMap"] == {"name": "c", "optional": True}
    assert found["hidden"]["secret"] == {"secretName": "s"}
    compute = {"resource": "limits.memory", "containerName": "compute"}
    assert found["fields"]["downwardAPI"]["items"] == [
        fields[0],
        {"path": "memory", "resourceFieldRef": compute},
    ]
    mounts = {m["name"]: (m["mountPath"], m.get("readOnly")) for m in spec["containers"][0]["volumeMounts"]}
    for name in ("config", "hidden", "fields"):
        assert mounts[name] == (f"/run/kubevirt/files/{name}", True)


def test_a_service_accounts_files_are_those_of_pods_and_the_pod_runs_as_it() -> None:
    volumes = [{"name": "account", "serviceAccount": {"serviceAccountName": "robot"}}]
    spec = rendered(spec={"volumes": volumes, "domain": BARE})["spec"]
    (projected,) = [v["projected"] for v in spec["volumes"] if v["name"] == "account"]
    token, authority, namespace = projected["sources"]
    assert token == {"serviceAccountToken": {"path": "token", "expirationSeconds": 31536000}}
    assert authority["configMap"]["name"] == "kube-root-ca.crt"
    assert namespace["downwardAPI"]["items"][0]["path"] == "namespace"
    assert (spec["serviceAccountName"], spec["automountServiceAccountToken"]) == ("robot", False)


def test_answers_for_a_setup_come_from_either_kind() -> None:
    volumes = [
        {"name": "open", "sysprep": {"configMap": {"name": "c"}}},
        {"name": "hidden", "sysprep": {"secret": {"name": "s"}}},
    ]
    found = {v["name"]: v for v in rendered(spec={"volumes": volumes, "domain": BARE})["spec"]["volumes"]}
    assert found["open"]["configMap"] == {"name": "c"}
    assert found["hidden"]["secret"] == {"secretName": "s"}


def test_ssh_keys_for_cloud_init_are_mounted_and_others_are_not() -> None:
    source = {"secret": {"secretName": "keys"}}
    ways: list[dict[str, Any]] = [{"qemuGuestAgent": {"users": ["u"]}}, {"noCloud": {}}]
    keys = [{"sshPublicKey": {"source": source, "propagationMethod": way}} for way in ways]
    spec = rendered(spec={"accessCredentials": keys, "domain": BARE})["spec"]
    found = {v["name"]: v.get("secret") for v in spec["volumes"] if v["name"].startswith("access")}
    assert found == {"access-cred-1": {"secretName": "keys"}}


def test_placement_and_names_are_passed_on() -> None:
    given = {
        "architecture": "amd64",
        "nodeSelector": {"disk": "fast"},
        "tolerations": [{"key": "k", "operator": "Exists"}],
        "affinity": {"nodeAffinity": {}},
        "topologySpreadConstraints": [
            {"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule"}
        ],
        "priorityClassName": "high",
        "schedulerName": "mine",
        "dnsPolicy": "None",
        "dnsConfig": {"nameservers": ["10.0.0.1"]},
        "hostname": "h",
        "subdomain": "s",
        "terminationGracePeriodSeconds": 0,
    }
    spec = rendered(spec=given)["spec"]
    selector = {"kubevirt.io/schedulable": "true", "kubernetes.io/arch": "amd64", "disk": "fast"}
    assert spec["nodeSelector"] == selector
    assert spec["terminationGracePeriodSeconds"] == 30
    for name in set(given) - {"architecture", "nodeSelector", "terminationGracePeriodSeconds"}:
        assert spec[name] == given[name]


@pytest.mark.parametrize(
    ("domain", "fixed"),
    [
        (BARE, 1 + 64 + 8),
        ({**BARE, "cpu": {"cores": 2, "sockets": 2, "threads": 2}}, 1 + 64 + 64),
        ({**BARE, "devices": {}}, 1 + 64 + 8 + 32),
        ({**BARE, "ioThreadsPolicy": "shared"}, 1 + 64 + 8 + 8),
        ({**BARE, "devices": {"autoattachGraphicsDevice": False, "tpm": {}}}, 1 + 64 + 8 + 53),
        ({**BARE, "cpu": {"dedicatedCpuPlacement": True}}, 1 + 64 + 8 + 100),
        (
            {**BARE, "memory": {"guest": "512Mi", "reservedOverhead": {"addedOverhead": "16Mi"}}},
            1 + 64 + 8 + 16,
        ),
    ],
)
def test_the_overhead_is_the_sum_of_its_terms(domain: dict[str, Any], fixed: int) -> None:
    assert overhead_bytes(vmi(spec={"domain": domain}), ClusterConfig()) == fixed * MIB


@pytest.mark.parametrize(
    ("resources", "cpu", "requests", "limits"),
    [
        ({}, {}, {"cpu": "100m", "memory": "585Mi"}, None),
        ({}, {"cores": 4}, {"cpu": "400m", "memory": "609Mi"}, None),
        ({"requests": {"cpu": "2"}}, {}, {"cpu": "2", "memory": "585Mi"}, None),
        ({"limits": {"cpu": "50m"}}, {}, {"cpu": "50m", "memory": "585Mi"}, {"cpu": "50m"}),
        ({"requests": {"memory": "256Mi"}}, {}, {"cpu": "100m", "memory": "329Mi"}, None),
        ({"limits": {"memory": "1Gi"}}, {}, {"cpu": "100m", "memory": "585Mi"}, {"memory": "1097Mi"}),
        ({"overcommitGuestOverhead": True}, {}, {"cpu": "100m", "memory": "512Mi"}, None),
        (
            {"requests": {"x/y": "1"}, "limits": {"x/y": "1"}},
            {},
            {"x/y": "1", "cpu": "100m", "memory": "585Mi"},
            {"x/y": "1"},
        ),
    ],
)
def test_what_is_asked_of_the_node(
    resources: dict[str, Any], cpu: dict[str, Any], requests: dict[str, str], limits: dict[str, str] | None
) -> None:
    made = pod_resources(vmi(spec={"domain": {**BARE, "resources": resources, "cpu": cpu}}), EMULATED)
    assert (made.requests, made.limits) == (requests, limits)


def test_kvm_is_a_device_of_the_node_unless_emulation_is_allowed() -> None:
    made = pod_resources(vmi(spec={"domain": BARE}), ClusterConfig())
    assert made.limits == {"devices.kubevirt.io/kvm": "1"}


def test_the_installation_changes_ratios() -> None:
    given = {
        "additionalGuestMemoryOverheadRatio": "1.5",
        "developerConfiguration": {"cpuAllocationRatio": 4, "memoryOvercommit": 200, "useEmulation": True},
    }
    installation = decode({"metadata": {"name": "kubevirt"}, "spec": {"configuration": given}}, KubeVirt)
    config = cluster_config(installation)
    made = pod_resources(vmi(spec={"domain": BARE}), config)
    assert made.requests == {"cpu": "250m", "memory": "374272Ki"}
    assert cluster_config(None) == ClusterConfig()


def test_a_long_name_is_cut_and_stays_unique() -> None:
    long = vmi(metadata={"name": "a" * 63 + "-tail", "uid": "u1"})
    other = vmi(metadata={"name": "a" * 63 + "-tail", "uid": "u2"})
    assert len(pod_name(long)) == 63
    assert pod_name(long) != pod_name(other)


def without_owner(made: Pod) -> Pod:
    plain = to_dict(made)
    del plain["metadata"]["ownerReferences"]
    return decode(plain, Pod)


def unlabelled(made: Pod) -> Pod:
    plain = to_dict(made)
    del plain["metadata"]["labels"]["kubevirt.io/created-by"]
    return decode(plain, Pod)


def renamed(made: Pod) -> Pod:
    plain = to_dict(made)
    plain["metadata"]["name"] = "look-alike"
    return decode(plain, Pod)


def test_only_the_pod_made_for_the_vmi_is_its_own() -> None:
    found = vmi("Running", status={"activePods": {"pod-1": "n1"}})
    assert is_own_pod(found, pod(found))
    assert not is_own_pod(found, pod(found, uid="pod-2"))
    assert not is_own_pod(found, without_owner(pod(found)))
    assert not is_own_pod(found, renamed(pod(found)))
    assert not is_own_pod(vmi("Pending"), unlabelled(pod(found)))
    assert is_own_pod(found, unlabelled(pod(found)))  # a label lost later
    assert not is_own_pod(vmi(metadata={"uid": "vmi-2"}), pod(found))


def test_look_alikes_are_known_by_what_they_claim() -> None:
    found = vmi("Running")
    assert claims_vmi(without_owner(pod(found))) == "vmi-1"
    assert claims_vmi(renamed(pod(found))) == "vmi-1"
    assert claims_vmi(decode({"metadata": {"name": "other"}}, Pod)) is None
