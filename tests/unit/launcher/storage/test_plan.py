"""Which files a VMI's volumes become."""

from typing import Any

import msgspec
import pytest

from virtdeck.basis.errors import Invalid
from virtdeck.crds.codec import decode
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.launcher.domain.request import DiskFile
from virtdeck.launcher.storage.plan import (
    Folders,
    MakeEmptyDisk,
    MakeFilesDisk,
    MakeOverlay,
    MakeSeed,
    StoragePlan,
    plan_storage,
)
from virtdeck.launcher.storage.seed import MetaData, SecretRef, meta_data
from virtdeck.wire.launcher import ImageFacts

IMAGE = ImageFacts(path="/images/a/disk.img", format="qcow2", virtual_size=5)
FOLDERS = Folders(ephemeral="/e", secrets="/s", files="/f")


def plan(
    volume: dict[str, Any],
    disk: dict[str, Any] | None = None,
    credentials: tuple[dict[str, Any], ...] = (),
    **images: ImageFacts,
) -> StoragePlan:
    plain = {
        "metadata": {"name": "demo", "namespace": "b", "uid": "the-uid"},
        "spec": {
            "hostname": "host",
            "domain": {"devices": {"disks": [{"name": "a", **(disk or {"disk": {}})}]}},
            "volumes": [{"name": "a", **volume}],
            "accessCredentials": credentials,
        },
    }
    return plan_storage(decode(plain, VirtualMachineInstance), images, FOLDERS)


def test_a_container_disk_is_written_beside_its_image() -> None:
    made = plan({"containerDisk": {"image": "i"}}, a=IMAGE)
    assert made.steps == (MakeOverlay(path="/e/a.qcow2", backing=IMAGE.path, backing_format="qcow2", size=5),)
    assert made.disks["a"] == DiskFile(
        path="/e/a.qcow2", format="qcow2", backing_path=IMAGE.path, backing_format="qcow2"
    )


def test_a_container_disk_in_a_cdrom_is_read_as_it_is() -> None:
    made = plan({"containerDisk": {"image": "i"}}, {"cdrom": {}}, a=IMAGE)
    assert made.steps == ()
    assert made.disks["a"] == DiskFile(path=IMAGE.path, format="qcow2", read_only=True)


def test_a_claim_is_written_itself() -> None:
    made = plan({"persistentVolumeClaim": {"claimName": "c"}}, a=IMAGE)
    assert made.disks["a"] == DiskFile(path=IMAGE.path, format="qcow2")


def test_an_image_that_was_not_inspected_is_not_opened() -> None:
    assert plan({"containerDisk": {"image": "i"}}) == StoragePlan(steps=(), disks={})


def test_an_empty_disk_has_its_capacity() -> None:
    assert plan({"emptyDisk": {"capacity": "2Gi"}}).steps == (MakeEmptyDisk(path="/e/a.qcow2", size=2 << 30),)


def seed_files(volume: dict[str, Any]) -> dict[str, Any]:
    (step,) = plan(volume).steps
    assert isinstance(step, MakeSeed)
    files = {
        name: meta_data(content, ()) if isinstance(content, MetaData) else content
        for name, content in step.seed.files.items()
    }
    return {"label": step.seed.label, **files}


def test_a_no_cloud_seed_has_the_machines_identity() -> None:
    files = seed_files({"cloudInitNoCloud": {"userData": "#!/bin/sh", "networkData": "version: 2"}})
    assert files["label"] == "cidata"
    assert msgspec.json.decode(files["meta-data"]) == {"instance-id": "the-uid", "local-hostname": "host"}
    assert (files["user-data"], files["network-config"]) == (b"#!/bin/sh", b"version: 2")


def test_a_config_drive_has_openstacks_layout() -> None:
    files = seed_files({"cloudInitConfigDrive": {"userDataBase64": "I2Nsb3VkLWNv\nbmZpZw=="}})
    assert files["label"] == "config-2"
    assert files["openstack/latest/user_data"] == b"#cloud-config"
    assert msgspec.json.decode(files["openstack/latest/meta_data.json"])["uuid"] == "the-uid"


def test_secrets_are_read_where_they_are_mounted() -> None:
    files = seed_files(
        {"cloudInitNoCloud": {"secretRef": {"name": "u"}, "networkDataSecretRef": {"name": "n"}}}
    )
    assert files["user-data"] == SecretRef("/s/a-udata", ("userdata", "userData"))
    assert files["network-config"] == SecretRef("/s/a-ndata", ("networkdata", "networkData"))


def test_broken_base64_is_refused() -> None:
    with pytest.raises(Invalid, match="userDataBase64"):
        plan({"cloudInitNoCloud": {"userDataBase64": "###"}})


@pytest.mark.parametrize("source", [{"configMap": {"name": "c"}}, {"secret": {"secretName": "s"}}])
def test_files_become_a_disk_with_kubevirts_label(source: dict[str, Any]) -> None:
    made = plan(source)
    assert made.steps == (MakeFilesDisk(path="/e/a.iso", label="cfgdata", volume="a", folder="/f/a"),)
    assert made.disks["a"] == DiskFile(path="/e/a.iso", format="raw")


def test_a_disk_of_files_has_the_label_that_was_asked_for() -> None:
    (step,) = plan({"downwardAPI": {"fields": [], "volumeLabel": "facts"}}).steps
    assert isinstance(step, MakeFilesDisk)
    assert step.label == "facts"


def test_a_label_that_no_cd_can_have_is_refused() -> None:
    with pytest.raises(Invalid, match="volume a: volumeLabel must be at most 32 bytes"):
        plan({"configMap": {"name": "c", "volumeLabel": "x" * 33}})


def test_sysprep_is_a_disk_that_must_have_answers() -> None:
    (step,) = plan({"sysprep": {"secret": {"name": "s"}}}, {"cdrom": {}}).steps
    assert isinstance(step, MakeFilesDisk)
    assert (step.label, step.one_of) == ("unattendCD", ("autounattend.xml", "unattend.xml"))


def test_a_service_account_is_a_disk_of_files() -> None:
    made = plan({"serviceAccount": {"serviceAccountName": "s"}})
    assert made.steps == (MakeFilesDisk(path="/e/a.iso", label="cfgdata", volume="a", folder="/f/a"),)


def ssh_keys(**method: Any) -> dict[str, Any]:
    source = {"secret": {"secretName": "keys"}}
    return {"sshPublicKey": {"source": source, "propagationMethod": method}}


def test_keys_go_into_the_seed_that_they_are_meant_for() -> None:
    given = (ssh_keys(configDrive={}), ssh_keys(noCloud={}), ssh_keys(noCloud={}))
    (step,) = plan({"cloudInitNoCloud": {"userData": "x"}}, None, given).steps
    assert isinstance(step, MakeSeed)
    meta = step.seed.files["meta-data"]
    assert isinstance(meta, MetaData)
    assert meta.key_folders == ("/s/access-cred-1", "/s/access-cred-2")
    shown = msgspec.json.decode(meta_data(meta, ["ssh-rsa A\n\n ssh-rsa B \r\n", "ssh-rsa C"]))
    assert shown["public-keys"] == {"0": "ssh-rsa A", "1": "ssh-rsa B", "2": "ssh-rsa C"}
    (drive,) = plan({"cloudInitConfigDrive": {"userData": "x"}}, None, given).steps
    assert isinstance(drive, MakeSeed)
    found = drive.seed.files["openstack/latest/meta_data.json"]
    assert isinstance(found, MetaData)
    assert (found.keys_field, found.key_folders) == ("public_keys", ("/s/access-cred-0",))
