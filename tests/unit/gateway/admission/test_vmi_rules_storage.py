"""Rules on disks, volumes, cloud-init and credentials. Each row breaks one rule."""

import base64
from typing import Any

import pytest
from tests.unit.gateway.admission.build import causes, devices, fields, root_disk, root_volume

from virtdeck.gateway.admission import ClusterConfig

_DISK, _VOLUME = "spec.domain.devices.disks[0]", "spec.volumes[0]"
_IMAGE = {"containerDisk": {"image": "virtdeck/demo:1"}}
_LONG = "x" * 2049


def _disks(*disks: dict[str, Any]) -> dict[str, Any]:
    return devices(disks=list(disks))


def _volumes(*volumes: dict[str, Any]) -> dict[str, Any]:
    return {"volumes": [{"name": "root", **_IMAGE}, *volumes]}


def _block(**custom: Any) -> dict[str, Any]:
    return root_disk(blockSize={"custom": {"logical": 512, "physical": 512, **custom}})


def _cloud_init(**source: Any) -> dict[str, Any]:
    return _volumes({"name": "seed", "cloudInitNoCloud": source})


def _ssh(method: dict[str, Any], secret: str = "keys") -> dict[str, Any]:
    key = {"propagationMethod": method, "source": {"secret": {"secretName": secret}}}
    return {"accessCredentials": [{"sshPublicKey": key}]}


def _password(method: dict[str, Any], source: dict[str, Any]) -> dict[str, Any]:
    return {"accessCredentials": [{"userPassword": {"propagationMethod": method, "source": source}}]}


_SEED = "spec.volumes[1].cloudInitNoCloud"
_KEY = "spec.accessCredentials[0].sshPublicKey"
_PASSWORD = "spec.accessCredentials[0].userPassword"
_SECRET = {"secret": {"secretName": "s"}}

BROKEN = [
    (
        "V95",
        _disks({"name": "root", "disk": {"bus": "virtio"}}, {"name": "gone", "disk": {}}),
        "spec.domain.devices.disks[1].name",
    ),
    (
        "V95",
        devices(filesystems=[{"name": "gone", "virtiofs": {}}]),
        "spec.domain.devices.filesystems[0].name",
    ),
    ("V96", _disks({"name": "root", "lun": {"bus": "scsi"}}), f"{_DISK}.lun"),
    ("V98", root_volume(downwardMetrics={}) | root_disk(disk={"bus": "sata"}), f"{_DISK}.disk.bus"),
    (
        "V99",
        _volumes({"name": "b", "emptyDisk": {"capacity": "1Gi"}})
        | _disks({"name": "root", "bootOrder": 1}, {"name": "b", "bootOrder": 1}),
        f"{_DISK}.bootOrder",
    ),
    ("V101", root_disk(bootOrder=0), f"{_DISK}.bootOrder"),
    ("V126", _disks({"name": "root"}, {"name": "root"}), f"{_DISK}.name"),
    ("V127", root_disk(cdrom={}), _DISK),
    ("V128", root_volume(**_IMAGE) | _disks({"name": "Root"}), f"{_DISK}.name"),
    ("V129", root_disk(disk={"bus": "sata", "pciAddress": "0000:00:01.0"}), f"{_DISK}.disk.pciAddress"),
    ("V130", root_disk(disk={"bus": "virtio", "pciAddress": "1"}), f"{_DISK}.disk.pciAddress"),
    ("V131", root_disk(bootOrder=-1), f"{_DISK}.bootOrder"),
    ("V132", root_disk(disk={"bus": "ide"}), f"{_DISK}.disk.bus"),
    ("V133", root_disk(disk={"bus": "floppy"}), f"{_DISK}.disk.bus"),
    ("V134", _disks({"name": "root", "cdrom": {"bus": "virtio"}}), f"{_DISK}.cdrom.bus"),
    ("V135", root_disk(disk={"bus": "sata", "readonly": True}), f"{_DISK}.disk.readonly"),
    ("V136", root_disk(disk={"bus": "sata"}, dedicatedIOThread=True), f"{_DISK}.dedicatedIOThread"),
    ("V137", root_disk(serial="a b"), f"{_DISK}.serial"),
    ("V137", root_disk(serial="x,file=/etc/shadow"), f"{_DISK}.serial"),
    ("V138", root_disk(serial="s" * 257), f"{_DISK}.serial"),
    ("V139", root_disk(cache="unsafe"), f"{_DISK}.cache"),
    ("V140", root_disk(io="io_uring"), f"{_DISK}.io"),
    ("V141", root_disk(errorPolicy="panic"), f"{_DISK}.errorPolicy"),
    ("tray", _disks({"name": "root", "cdrom": {"tray": "ajar"}}), f"{_DISK}.cdrom.tray"),
    ("V142", _block(logical=256), f"{_DISK}.blockSize.custom.logical"),
    ("V143", _block(physical=4 * 2**20), f"{_DISK}.blockSize.custom.physical"),
    ("V144", _block(logical=513), f"{_DISK}.blockSize.custom.logical"),
    ("V145", _block(logical=4096), f"{_DISK}.blockSize.custom.logical"),
    (
        "V146",
        root_disk(disk={"bus": "sata"}, blockSize={"custom": {"logical": 4096, "physical": 4096}}),
        f"{_DISK}.blockSize.custom.logical",
    ),
    ("V147", _block(discardGranularity=513), f"{_DISK}.blockSize.custom.discardGranularity"),
    (
        "V148",
        root_disk(blockSize={"custom": {"logical": 512, "physical": 512}, "matchVolume": {}}),
        f"{_DISK}.blockSize",
    ),
    ("V149", root_volume(containerDisk={"image": "i", "path": "disk.img"}), f"{_VOLUME}.containerDisk.path"),
    (
        "V149",
        root_volume(containerDisk={"image": "i", "path": "/disk/../../etc"}),
        f"{_VOLUME}.containerDisk.path",
    ),
    (
        "S-03",
        root_volume(containerDisk={"image": "i", "path": "/proc/1/root/etc/shadow"}),
        f"{_VOLUME}.containerDisk.path",
    ),
    ("S-03", root_volume(containerDisk={"image": "i", "path": "//x"}), f"{_VOLUME}.containerDisk.path"),
    ("S-03", root_volume(containerDisk={"image": "i", "path": "/a\0"}), f"{_VOLUME}.containerDisk.path"),
    ("S-01", _cloud_init(secretRef={"name": "../x"}), f"{_SEED}.secretRef.name"),
    ("S-01", _cloud_init(secretRef={"name": "kube-system/token"}), f"{_SEED}.secretRef.name"),
    (
        "S-01",
        _cloud_init(userData="a", networkDataSecretRef={"name": "/etc"}),
        f"{_SEED}.networkDataSecretRef.name",
    ),
    (
        "S-01",
        root_volume(containerDisk={"image": "i", "imagePullSecret": "a/b"}),
        f"{_VOLUME}.containerDisk.imagePullSecret",
    ),
    ("S-01", _ssh({"qemuGuestAgent": {"users": ["a"]}}, "a/b"), f"{_KEY}.source.secret.secretName"),
    ("V150", root_volume(containerDisk={"image": "i", "path": "/"}), f"{_VOLUME}.containerDisk.path"),
    ("image", root_volume(containerDisk={"image": " "}), f"{_VOLUME}.containerDisk.image"),
    ("V151", _volumes({"name": "root", **_IMAGE}), f"{_VOLUME}.name"),
    ("V152", root_volume(), _VOLUME),
    ("V152", root_volume(**_IMAGE, emptyDisk={"capacity": "1Gi"}), _VOLUME),
    ("V153", root_volume(dataVolume={"name": ""}), f"{_VOLUME}.dataVolume.name"),
    ("V155", root_volume(containerPath={"path": "/data"}), f"{_VOLUME}.name"),
    ("V157", root_volume(containerPath={"path": "/var/run/kubevirt/x"}), f"{_VOLUME}.containerPath.path"),
    ("V158", root_volume(containerPath={"path": "/data"}), f"{_VOLUME}.containerPath"),
    ("V159", _cloud_init(userDataBase64="?"), f"{_SEED}.userDataBase64"),
    ("V160", _cloud_init(userData="a", secretRef={"name": "s"}), _SEED),
    ("V161", _cloud_init(userData=_LONG), f"{_SEED}.userData"),
    (
        "V161",
        _cloud_init(userDataBase64=base64.b64encode(_LONG.encode()).decode()),
        f"{_SEED}.userDataBase64",
    ),
    ("V162", _cloud_init(networkDataBase64="x"), f"{_SEED}.networkDataBase64"),
    ("V163", _cloud_init(userData="a", networkData="b", networkDataBase64="Yg=="), _SEED),
    ("V164", _cloud_init(userData="a", networkData=_LONG), f"{_SEED}.networkData"),
    ("V165", _cloud_init(), _SEED),
    ("secret", _cloud_init(secretRef={"name": ""}), f"{_SEED}.secretRef.name"),
    ("V166", root_volume(downwardMetrics={}), f"{_VOLUME}.downwardMetrics"),
    ("V167", root_volume(hostDisk={"path": "/d", "type": "Disk"}), f"{_VOLUME}.hostDisk"),
    ("V168", root_volume(hostDisk={"path": "", "type": "Disk"}), f"{_VOLUME}.hostDisk.path"),
    ("V169", root_volume(hostDisk={"path": "/d", "type": "File"}), f"{_VOLUME}.hostDisk.type"),
    (
        "V170",
        root_volume(hostDisk={"path": "/d", "type": "Disk", "capacity": "1Gi"}),
        f"{_VOLUME}.hostDisk.capacity",
    ),
    ("size", root_volume(emptyDisk={"capacity": "0"}), f"{_VOLUME}.emptyDisk.capacity"),
    ("size", root_volume(emptyDisk={"capacity": "lots"}), f"{_VOLUME}.emptyDisk.capacity"),
    ("V171", root_volume(configMap={}), f"{_VOLUME}.configMap.name"),
    ("V172", root_volume(secret={}), f"{_VOLUME}.secret.secretName"),
    ("V173", root_volume(serviceAccount={}), f"{_VOLUME}.serviceAccount.serviceAccountName"),
    (
        "V174",
        _volumes(*({"name": n, "serviceAccount": {"serviceAccountName": "a"}} for n in "bc")),
        "spec.volumes[2].serviceAccount",
    ),
    ("V175", _volumes(*({"name": n, "downwardAPI": {}} for n in "bc")), "spec.volumes[2].downwardAPI"),
    (
        "V176",
        _volumes(*({"name": n, "memoryDump": {"claimName": "a"}} for n in "bc")),
        "spec.volumes[2].memoryDump",
    ),
    ("V177", {"utilityVolumes": [{"name": "u", "claimName": "c"}]}, "spec.utilityVolumes"),
    ("V178", {"accessCredentials": [{}]}, "spec.accessCredentials[0]"),
    ("V179", _ssh({"qemuGuestAgent": {"users": ["root"]}}, ""), f"{_KEY}.source.secret.secretName"),
    ("V180", _password({"qemuGuestAgent": {}}, {}), f"{_PASSWORD}.source.secret.secretName"),
    ("V181", _ssh({}), f"{_KEY}.propagationMethod"),
    ("V182", _password({}, _SECRET), f"{_PASSWORD}.propagationMethod.qemuGuestAgent"),
    ("V183", _ssh({"noCloud": {}}), f"{_KEY}.propagationMethod.noCloud"),
    ("V184", _ssh({"configDrive": {}}), f"{_KEY}.propagationMethod.configDrive"),
    ("V185", _ssh({"qemuGuestAgent": {"users": []}}), f"{_KEY}.propagationMethod.qemuGuestAgent.users"),
]


@pytest.mark.parametrize(
    ("rule", "spec", "field"), BROKEN, ids=[f"{r}-{i}" for i, (r, _, _) in enumerate(BROKEN)]
)
def test_storage_that_breaks_the_rule_is_refused(rule: str, spec: dict[str, Any], field: str) -> None:
    assert field in fields(spec), rule


SOUND: list[dict[str, Any]] = [
    root_disk(bootOrder=1, serial="disk-1", cache="none", io="native", errorPolicy="stop"),
    root_disk(dedicatedIOThread=True, disk={"bus": "virtio", "pciAddress": "0000:81:01.0"}),
    _block(logical=512, physical=4096, discardGranularity=1024),
    _disks({"name": "root", "disk": {"bus": "virtio"}}, {"name": "tray", "cdrom": {"bus": "sata"}}),
    root_volume(emptyDisk={"capacity": "2Gi"}),
    root_volume(containerDisk={"image": "i", "path": "/disk/a.qcow2"}),
    _cloud_init(userData="#cloud-config", networkData="version: 2"),
    _cloud_init(userDataBase64=base64.encodebytes(b"#cloud-config\n" * 40).decode()),
    _cloud_init(secretRef={"name": "seed"}),
    _cloud_init(userData="a") | _ssh({"noCloud": {}}),
    _password({"qemuGuestAgent": {}}, _SECRET),
]


@pytest.mark.parametrize("spec", SOUND, ids=str)
def test_sound_storage_is_let_through(spec: dict[str, Any]) -> None:
    assert causes(spec) == []


def test_an_administrator_opens_disks_of_the_host() -> None:
    spec = root_volume(hostDisk={"path": "/srv/disk.img", "type": "Disk"})
    assert causes(spec, cluster=ClusterConfig(enabled_gates=frozenset({"HostDisk"}))) == []


def test_a_message_never_quotes_what_a_guest_is_told() -> None:
    spec = _cloud_init(userData="password: hunter2" + _LONG, userDataBase64="hunter2!")
    assert causes(spec)
    assert not any("hunter2" in cause.message for cause in causes(spec))
