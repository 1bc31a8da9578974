"""Examples for the rules of disks, volumes, cloud-init, credentials and references."""

import base64
from typing import Any

from tests.unit.gateway.admission.build import Plain, devices, nic, root_disk, root_volume, vmi
from tests.unit.gateway.admission.examples.example import Example, gates, subject, without

_LONG = "x" * 2049
_CLAIM = {"persistentVolumeClaim": {"claimName": "c"}}
_ROOT = {"name": "root", "disk": {"bus": "virtio"}}
_SECRET = {"secret": {"secretName": "s"}}
_METRICS, _PATHS, _HOST = gates("DownwardMetrics"), gates("ContainerPathVolumes"), gates("HostDisk")


def _disks(*disks: Plain) -> Plain:
    return devices(disks=[_ROOT, *disks])


def _more(*volumes: Plain) -> Plain:
    return {"volumes": [*vmi()["spec"]["volumes"], *volumes]}


def _filesystem(*names: str) -> Plain:
    return devices(disks=[], filesystems=[{"name": name, "virtiofs": {}} for name in names])


def _block(logical: int, physical: int, bus: str = "virtio", **custom: Any) -> Any:
    size = {"custom": {"logical": logical, "physical": physical, **custom}}
    return subject(root_disk(disk={"bus": bus}, blockSize=size))


def _seed(**source: Any) -> Any:
    return subject(_more({"name": "seed", "cloudInitNoCloud": source}))


def _image(**source: Any) -> Any:
    return subject(root_volume(containerDisk={"image": "i", **source}))


def _host(**source: Any) -> Any:
    return subject(root_volume(hostDisk={"path": "/d/disk.img", "type": "Disk", **source}), cluster=_HOST)


def _key(method: Plain, secret: str | None = "keys", *changes: Plain) -> Any:
    source = {"secret": {"secretName": secret}} if secret is not None else {}
    key = {"propagationMethod": method, "source": source}
    return subject({"accessCredentials": [{"sshPublicKey": key}]}, *changes)


def _password(method: Plain, source: Plain) -> Any:
    return subject({"accessCredentials": [{"userPassword": {"propagationMethod": method, "source": source}}]})


def _base64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


_SEED = "spec.volumes[1].cloudInitNoCloud"
_AGENT = {"qemuGuestAgent": {"users": ["root"]}}
_EACH_DISK = {
    "V126": Example(subject(_disks(_ROOT)), subject(_disks()), "spec.domain.devices.disks[1].name"),
    "V127": Example(subject(root_disk(cdrom={"bus": "sata"})), subject(root_disk())),
    "V128": Example(
        subject(devices(disks=[{"name": "Root"}]), {"volumes": [{"name": "Root", **_CLAIM}]}),
        subject(root_disk()),
        beside=("volume_name_is_a_label",),
    ),
    "V129": Example(
        subject(root_disk(disk={"bus": "sata", "pciAddress": "0000:00:01.0"})),
        subject(root_disk(disk={"bus": "virtio", "pciAddress": "0000:00:01.0"})),
    ),
    "V130": Example(
        subject(root_disk(disk={"bus": "virtio", "pciAddress": "1"})),
        subject(root_disk(disk={"bus": "virtio", "pciAddress": "0000:81:01.0"})),
    ),
    "V131": Example(
        (subject(root_disk(bootOrder=0)), subject(root_disk(bootOrder=-1))), subject(root_disk(bootOrder=1))
    ),
    "V132": Example(subject(root_disk(disk={"bus": "ide"})), subject(root_disk(disk={"bus": "sata"}))),
    "V133": Example(subject(root_disk(disk={"bus": "floppy"})), subject(root_disk(disk={"bus": "usb"}))),
    "V134": Example(
        subject(root_disk(disk=None, cdrom={"bus": "virtio"})),
        subject(root_disk(disk=None, cdrom={"bus": "scsi"})),
    ),
    "V135": Example(
        subject(root_disk(disk={"bus": "sata", "readonly": True})),
        (
            subject(root_disk(disk={"bus": "virtio", "readonly": True})),
            subject(root_disk(disk=None, cdrom={})),
        ),
    ),
    "V136": Example(
        subject(root_disk(disk={"bus": "sata"}, dedicatedIOThread=True)),
        subject(root_disk(dedicatedIOThread=True)),
    ),
    "V137": Example(
        (subject(root_disk(serial="a b")), subject(root_disk(serial="x,file=/etc/shadow"))),
        subject(root_disk(serial="disk-1_.+")),
    ),
    "V138": Example(subject(root_disk(serial="s" * 257)), subject(root_disk(serial="s" * 256))),
    "V139": Example(subject(root_disk(cache="unsafe")), subject(root_disk(cache="writeback"))),
    "V140": Example(subject(root_disk(io="io_uring")), subject(root_disk(io="native"))),
    "V141": Example(subject(root_disk(errorPolicy="panic")), subject(root_disk(errorPolicy="enospace"))),
    "tray_is_known": Example(
        subject(root_disk(disk=None, cdrom={"tray": "ajar"})),
        subject(root_disk(disk=None, cdrom={"tray": "open"})),
    ),
    "reservation_is_on_scsi": Example(
        subject(root_disk(disk=None, lun={"bus": "sata", "reservation": True}), root_volume(**_CLAIM)),
        subject(root_disk(disk=None, lun={"bus": "scsi", "reservation": True}), root_volume(**_CLAIM)),
        beside=("V111",),
    ),
    "V142": Example(
        _block(256, 512), _block(512, 512), "spec.domain.devices.disks[0].blockSize.custom.logical"
    ),
    "V143": Example(_block(512, 4 * 2**20), _block(512, 2 * 2**20)),
    "V144": Example(_block(513, 1024), _block(512, 1024)),
    "V145": Example(_block(4096, 512), _block(4096, 4096)),
    "V146": Example(_block(4096, 4096, "sata"), _block(512, 4096, "sata")),
    "V147": Example(_block(512, 512, discardGranularity=513), _block(512, 512, discardGranularity=1024)),
    "V148": Example(
        subject(root_disk(blockSize={"custom": {"logical": 512, "physical": 512}, "matchVolume": {}})),
        subject(
            root_disk(
                blockSize={"custom": {"logical": 512, "physical": 512}, "matchVolume": {"enabled": False}}
            )
        ),
    ),
}
_TOGETHER = {
    "V95": Example(
        (
            subject(_disks({"name": "gone", "disk": {}})),
            subject(_disks({"name": "gone", "cdrom": {}}), cluster=without("DeclarativeHotplugVolumes")),
        ),
        subject(_disks({"name": "gone", "cdrom": {}})),
        "spec.domain.devices.disks[1].name",
    ),
    "filesystem_has_a_volume": Example(
        subject(_filesystem("root", "gone"), root_volume(configMap={"name": "c"})),
        subject(_filesystem("root"), root_volume(configMap={"name": "c"})),
    ),
    "V96": Example(
        subject(root_disk(disk=None, lun={"bus": "scsi"})),
        subject(root_disk(disk=None, lun={"bus": "scsi"}), root_volume(**_CLAIM)),
    ),
    "V97": Example(
        subject(
            root_disk(disk=None, cdrom={"bus": "sata"}), root_volume(downwardMetrics={}), cluster=_METRICS
        ),
        subject(root_volume(downwardMetrics={}), cluster=_METRICS),
    ),
    "V98": Example(
        subject(root_disk(disk={"bus": "sata"}), root_volume(downwardMetrics={}), cluster=_METRICS),
        subject(root_disk(disk={"bus": "virtio"}), root_volume(downwardMetrics={}), cluster=_METRICS),
    ),
    "V99": Example(
        subject(
            devices(disks=[{**_ROOT, "bootOrder": 1}, {"name": "b", "bootOrder": 1}]),
            _more({"name": "b", "emptyDisk": {"capacity": "1Gi"}}),
        ),
        subject(
            devices(disks=[{**_ROOT, "bootOrder": 1}, {"name": "b", "bootOrder": 2}]),
            _more({"name": "b", "emptyDisk": {"capacity": "1Gi"}}),
        ),
        "spec.domain.devices.disks[1].bootOrder",
    ),
    "V100": Example(
        subject(root_disk(bootOrder=1), nic(bootOrder=1)),
        subject(root_disk(bootOrder=1), nic(bootOrder=2)),
        "spec.domain.devices.interfaces[0].bootOrder",
    ),
    "V101": Example(subject(nic(bootOrder=0)), subject(nic(bootOrder=1))),
}
_VOLUMES = {
    "V151": Example(
        subject(_more({"name": "root", "emptyDisk": {"capacity": "1Gi"}})),
        subject(_more({"name": "b", "emptyDisk": {"capacity": "1Gi"}})),
        "spec.volumes[1].name",
    ),
    "volume_name_is_a_label": Example(
        subject(_filesystem("Root"), {"volumes": [{"name": "Root", "configMap": {"name": "c"}}]}),
        subject(_filesystem("root"), {"volumes": [{"name": "root", "configMap": {"name": "c"}}]}),
    ),
    "V152": Example(
        (
            subject(root_volume()),
            subject(root_volume(secret={"secretName": "s"}, emptyDisk={"capacity": "1Gi"})),
        ),
        subject(root_volume(emptyDisk={"capacity": "1Gi"})),
    ),
    "V153": Example(
        subject(root_volume(dataVolume={"name": ""})),
        subject(root_volume(dataVolume={"name": "a"})),
        "spec.volumes[0].dataVolume.name",
    ),
    "claim_is_named": Example(
        subject(root_volume(persistentVolumeClaim={"claimName": ""})), subject(root_volume(**_CLAIM))
    ),
    "V171": Example(subject(root_volume(configMap={})), subject(root_volume(configMap={"name": "a"}))),
    "V172": Example(subject(root_volume(secret={})), subject(root_volume(secret={"secretName": "a"}))),
    "V173": Example(
        subject(root_volume(serviceAccount={})),
        subject(root_volume(serviceAccount={"serviceAccountName": "a"})),
    ),
    "volume_label_fits_a_cd": Example(
        (
            subject(root_volume(configMap={"name": "a", "volumeLabel": "x" * 33})),
            subject(root_volume(secret={"secretName": "a", "volumeLabel": "é" * 17})),
        ),
        subject(root_volume(configMap={"name": "a", "volumeLabel": "x" * 32})),
        "spec.volumes[0].configMap.volumeLabel",
    ),
    "sysprep_has_one_source": Example(
        (
            subject(root_volume(sysprep={})),
            subject(root_volume(sysprep={"configMap": {"name": "a"}, "secret": {"name": "b"}})),
        ),
        subject(root_volume(sysprep={"secret": {"name": "b"}})),
    ),
    "V154": Example(
        subject(devices(disks=[]), bare=True),
        (subject(devices(disks=[]), bare=True, template=True), subject()),
    ),
    "V155": Example(
        subject(root_volume(containerPath={"path": "/data"}), cluster=_PATHS),
        subject(_filesystem("root"), root_volume(containerPath={"path": "/data"}), cluster=_PATHS),
    ),
    "V156": Example(
        subject(devices(disks=[]), root_volume(containerPath={"path": "/data"}), cluster=_PATHS, bare=True),
        subject(_filesystem("root"), root_volume(containerPath={"path": "/data"}), cluster=_PATHS),
    ),
    "V157": Example(
        tuple(
            subject(_filesystem("root"), root_volume(containerPath={"path": path}), cluster=_PATHS)
            for path in ("data", "/a/../b", "/var/run/kubevirt", "/var/run/libvirt/x", "/run/kubevirt/x")
        ),
        subject(_filesystem("root"), root_volume(containerPath={"path": "/var/run/mine"}), cluster=_PATHS),
        "spec.volumes[0].containerPath.path",
    ),
    "V158": Example(
        subject(_filesystem("root"), root_volume(containerPath={"path": "/data"})),
        subject(_filesystem("root"), root_volume(containerPath={"path": "/data"}), cluster=_PATHS),
    ),
    "V166": Example(
        subject(root_volume(downwardMetrics={})), subject(root_volume(downwardMetrics={}), cluster=_METRICS)
    ),
    "empty_disk_has_a_size": Example(
        (
            subject(root_volume(emptyDisk={"capacity": "0"})),
            subject(root_volume(emptyDisk={"capacity": "lots"})),
        ),
        subject(root_volume(emptyDisk={"capacity": "2Gi"})),
    ),
    "V174": Example(
        subject(_more(*({"name": n, "serviceAccount": {"serviceAccountName": "a"}} for n in "bc"))),
        subject(_more({"name": "b", "serviceAccount": {"serviceAccountName": "a"}})),
        "spec.volumes[2].serviceAccount",
    ),
    "V175": Example(
        subject(
            _disks(*({"name": n, "disk": {"bus": "virtio"}} for n in "bc")),
            _more(*({"name": n, "downwardMetrics": {}} for n in "bc")),
            cluster=_METRICS,
        ),
        subject(
            _disks({"name": "b", "disk": {"bus": "virtio"}}),
            _more({"name": "b", "downwardMetrics": {}}),
            cluster=_METRICS,
        ),
    ),
    "V176": Example(
        subject(_more(*({"name": n, "memoryDump": {"claimName": "a"}} for n in "bc"))),
        subject(_more({"name": "b", "memoryDump": {"claimName": "a"}})),
    ),
    "V177": Example(
        subject({"utilityVolumes": [{"name": "u", "claimName": "c"}]}),
        subject({"utilityVolumes": [{"name": "u", "claimName": "c"}]}, is_new=False),
    ),
}
_IMAGES = {
    "V149": Example(
        tuple(
            _image(path=path)
            for path in ("disk.img", "/disk/../../etc", "/proc/1/root/etc/shadow", "//x", "/a\0", "/a/./b")
        ),
        _image(path="/disk/a.qcow2"),
        "spec.volumes[0].containerDisk.path",
    ),
    "V150": Example(_image(path="/"), _image(path="/disk")),
    "container_disk_names_an_image": Example(
        subject(root_volume(containerDisk={"image": " "})), subject(root_volume(containerDisk={"image": "i"}))
    ),
    "V167": Example(
        subject(root_volume(hostDisk={"path": "/d", "type": "Disk"})),
        subject(root_volume(hostDisk={"path": "/d", "type": "Disk"}), cluster=_HOST),
        "spec.volumes[0].hostDisk",
    ),
    "V168": Example((_host(path=""), _host(path="d"), _host(path="/d/../e")), _host()),
    "V169": Example(_host(type="File"), _host(type="DiskOrCreate", capacity="1Gi")),
    "V170": Example(_host(capacity="1Gi"), _host(type="DiskOrCreate", capacity="1Gi")),
    "host_disk_capacity_can_be_read": Example(
        _host(type="DiskOrCreate", capacity="lots"), _host(type="DiskOrCreate", capacity="1Gi")
    ),
}
_CLOUD_INIT = {
    "V159": Example(_seed(userDataBase64="?"), _seed(userDataBase64=_base64("a")), f"{_SEED}.userDataBase64"),
    "V160": Example(_seed(userData="a", secretRef={"name": "s"}), _seed(secretRef={"name": "s"}), _SEED),
    "V161": Example(
        (_seed(userData=_LONG), _seed(userDataBase64=_base64(_LONG)), _seed(userData="€" * 700)),
        (_seed(userData="x" * 2048), _seed(userDataBase64=base64.encodebytes(b"x" * 2048).decode())),
        f"{_SEED}.userData",
    ),
    "V162": Example(_seed(networkDataBase64="x"), _seed(networkDataBase64=_base64("a"))),
    "V163": Example(
        _seed(userData="a", networkData="b", networkDataBase64="Yg=="), _seed(userData="a", networkData="b")
    ),
    "V164": Example(_seed(userData="a", networkData=_LONG), _seed(userData="a", networkData="x" * 2048)),
    "V165": Example(_seed(), _seed(networkData="version: 2")),
    "seed_secret_is_named": Example(_seed(secretRef={"name": ""}), _seed(secretRef={"name": "s"})),
}
_CREDENTIALS = {
    "V178": Example(subject({"accessCredentials": [{}]}), _key(_AGENT), "spec.accessCredentials[0]"),
    "V179": Example((_key(_AGENT, ""), _key(_AGENT, None)), _key(_AGENT)),
    "V180": Example(_password({"qemuGuestAgent": {}}, {}), _password({"qemuGuestAgent": {}}, _SECRET)),
    "V181": Example(
        (
            _key({}),
            _key(
                {**_AGENT, "noCloud": {}}, "keys", _more({"name": "s", "cloudInitNoCloud": {"userData": "a"}})
            ),
        ),
        _key(_AGENT),
    ),
    "V182": Example(_password({}, _SECRET), _password({"qemuGuestAgent": {}}, _SECRET)),
    "V183": Example(
        _key({"noCloud": {}}),
        _key({"noCloud": {}}, "keys", _more({"name": "s", "cloudInitNoCloud": {"userData": "a"}})),
    ),
    "V184": Example(
        _key({"configDrive": {}}),
        _key({"configDrive": {}}, "keys", _more({"name": "s", "cloudInitConfigDrive": {"userData": "a"}})),
    ),
    "V185": Example(_key({"qemuGuestAgent": {"users": []}}), _key(_AGENT)),
}
_REFERENCES = {
    "volumes_refer_to_names": Example(
        (
            _seed(secretRef={"name": "../x"}),
            _seed(secretRef={"name": "kube-system/token"}),
            _seed(userData="a", networkDataSecretRef={"name": "/etc"}),
            _image(imagePullSecret="a/b"),
            subject(root_volume(sysprep={"secret": {"name": "a/b"}})),
        ),
        (_seed(secretRef={"name": "seed"}), _image(imagePullSecret="a.b")),
        f"{_SEED}.secretRef.name",
    ),
    "references_are_names": Example(
        subject({"priorityClassName": "a/b"}), subject({"priorityClassName": "system-node-critical"})
    ),
    "credentials_refer_to_names": Example(_key(_AGENT, "a/b"), _key(_AGENT, "a.b")),
}
EXAMPLES: dict[str, Example] = {
    **_EACH_DISK,
    **_TOGETHER,
    **_VOLUMES,
    **_IMAGES,
    **_CLOUD_INIT,
    **_CREDENTIALS,
    **_REFERENCES,
}
