"""Examples for unknown fields, unheeded settings and launcher pods."""

import base64
from typing import Any

from tests.unit.gateway.admission.build import (
    ALICE,
    CLUSTER,
    CONTROLLER,
    HANDLER,
    Plain,
    devices,
    nic,
    root_volume,
)
from tests.unit.gateway.admission.examples.example import Example, subject

from virtdeck.crds.kubevirt.vm import VirtualMachineSpec
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstanceSpec
from virtdeck.gateway.admission import ClusterConfig
from virtdeck.gateway.admission.kinds.launcher_pod import PodWrite
from virtdeck.gateway.admission.unknown import Written
from virtdeck.gateway.auth.user import User

_LIVE = ClusterConfig(live_update=True)
_OWNER = {"kind": "VirtualMachineInstance", "uid": "u"}


def _vmi(spec: Any) -> Written:
    return Written(spec, VirtualMachineInstanceSpec)


def _pod(now: Plain, before: Plain | None = None, user: User = ALICE) -> PodWrite:
    return PodWrite(now, before or {}, user, CLUSTER)


_TYPOS: tuple[Any, ...] = (
    _vmi(devices(disks=[{"name": "a", "disk": {"buss": "virtio"}}])),
    _vmi({"hostName": "a"}),
    _vmi(devices(interfaces=[{"name": "a", "masquerade": {"mode": "fast"}}])),
    _vmi({"domain": {"resources": {"requested": {}}}}),
    Written({"runstrategy": "Always"}, VirtualMachineSpec),
    Written({"dataVolumeTemplates": [{"spec": {"size": "1Gi"}}]}, VirtualMachineSpec),
)
_KNOWN: tuple[Any, ...] = (
    _vmi(devices(disks=[{"name": "a", "disk": {"bus": "virtio"}}])),
    _vmi({"domain": {"resources": {"requests": {"example.com/anything": 1}}}, "nodeSelector": {"any": "a"}}),
    _vmi({"domain": {"devices": {"disks": {}, "rng": {}}}, "volumes": None}),
    Written({"template": {"metadata": {"any": 1}}, "runStrategy": "Always"}, VirtualMachineSpec),
)
EXAMPLES: dict[str, Example] = {
    "fields_are_known": Example(_TYPOS, _KNOWN, "spec.domain.devices.disks[0].disk.buss"),
    "ports_are_for_masquerade": Example(
        subject(nic(masquerade=None, bridge={}, ports=[{"port": 22}])), subject(nic(ports=[{"port": 22}]))
    ),
    "counted_threads_are_for_a_pool": Example(
        subject({"domain": {"ioThreads": {"supplementalPoolThreadCount": 2}, "ioThreadsPolicy": "auto"}}),
        subject({"domain": {"ioThreadsPolicy": "auto"}}),
    ),
    "maxima_are_for_live_update": Example(
        (
            subject({"domain": {"cpu": {"maxSockets": 4}}}),
            subject({"domain": {"memory": {"maxGuest": "1Gi"}}}),
        ),
        subject({"domain": {"cpu": {"maxSockets": 4}}}, cluster=_LIVE),
        "spec.domain.cpu.maxSockets",
    ),
    "passwords_belong_into_secrets": Example(
        tuple(
            subject(root_volume(containerDisk=None, cloudInitNoCloud=told))
            for told in (
                {"userData": "#cloud-config\npassword: fedora\n"},
                {"userData": "#cloud-config\nusers:\n- name: a\n  plain_text_passwd: 'x'\n"},
                {"userData": "#cloud-config\nchpasswd: {expire: false}"},
                {"userData": "write_files:\n- content: |\n    -----BEGIN OPENSSH PRIVATE KEY-----"},
                {"userDataBase64": base64.b64encode(b"passwd: x").decode()},
            )
        ),
        tuple(
            subject(root_volume(containerDisk=None, cloudInitNoCloud=told))
            for told in (
                {"userData": "#cloud-config\nssh_authorized_keys: [a b]\nlock_passwd: true\npassword:\n"},
                {"secretRef": {"name": "seed"}},
                {"userDataBase64": "///"},
            )
        ),
        "spec.volumes[0].cloudInitNoCloud.userData",
    ),
    "launcher_labels_are_ours": Example(
        tuple(_pod({"labels": {"kubevirt.io": "virt-launcher"}}, user=user) for user in (ALICE, HANDLER)),
        (
            _pod({"labels": {"kubevirt.io": "virt-launcher"}}, user=CONTROLLER),
            _pod({"labels": {"kubevirt.io": "virt-launcher"}}, {"labels": {"kubevirt.io": "virt-launcher"}}),
            _pod({"labels": []}),
        ),
        "metadata.labels[kubevirt.io]",
    ),
    "launcher_owners_are_ours": Example(
        (_pod({"ownerReferences": [_OWNER]}), _pod({}, {"ownerReferences": [_OWNER]})),
        (
            _pod({"ownerReferences": [_OWNER]}, user=CONTROLLER),
            _pod({"ownerReferences": [_OWNER]}, {"ownerReferences": [_OWNER]}),
            _pod({"ownerReferences": [{"kind": "ReplicaSet", "uid": "u"}]}),
            _pod({"ownerReferences": {}}),
        ),
    ),
}
