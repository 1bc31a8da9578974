"""Images that are missing or broken: told by the object within seconds, and nothing of the host is opened."""

import os
from pathlib import Path

import pytest
from e2e.images import oci_image, qcow2_on
from e2e.machines import container_disk, kernel_boot_vm, kernel_boot_vmi
from e2e.product import Product, until
from e2e.telling import shown, told

pytestmark = [pytest.mark.root, pytest.mark.guest, pytest.mark.kubectl, pytest.mark.timeout(120)]


def test_missing_image_is_told_and_the_machine_starts_once_it_is_imported(
    product: Product, tmp_path: Path
) -> None:
    product.apply(kernel_boot_vm("noimage", "Always", **container_disk("team/missing:v1")))
    until(
        lambda: product.get("vm", "noimage"),
        lambda vm: vm.get("status", {}).get("printableStatus") in ("ErrImagePull", "ImagePullBackOff"),
        30,
    )
    said = told(product, "vm", "noimage", "Synchronized")
    assert said["reason"] in ("ErrImagePull", "ImagePullBackOff")
    assert "virtdeck image import FILE team/missing:v1" in said["message"]
    disk = tmp_path / "disk.img"
    disk.write_bytes(bytes(1 << 20))
    product.command("image", "import", str(disk), "team/missing:v1")
    product.wait_for_phase("noimage", "Running", seconds=15)
    product.kubectl("delete", "vm", "noimage", "--timeout=60s")


def test_what_is_no_name_of_an_image_is_told(product: Product) -> None:
    product.apply(kernel_boot_vm("noname", "Always", **container_disk("Not An Image!")))
    shown(product, "noname", "ErrImagePull")
    assert "as in registry/team/disk:tag" in told(product, "vm", "noname", "Synchronized")["message"]
    product.kubectl("delete", "vm", "noname", "--timeout=30s")


BROKEN: dict[str, tuple[str, str]] = {
    "a.qcow2": ("InvalidImage", "backing file"),
    "b.txt": ("InvalidImage", "text file"),
    "c.img": ("InvalidImage", "/vm/c.img is not in its image"),
    "folder": ("UnsafeDiskPath", "not a regular file"),
}


@pytest.fixture(scope="module")
def canary(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of the host that was last read long before it was written: a read would show."""
    path = tmp_path_factory.mktemp("host") / "canary"
    path.write_bytes(b"secret" * 1000)
    os.utime(path, (0, path.stat().st_mtime))
    return path


@pytest.fixture(scope="module")
def broken(product: Product, canary: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Disks outside /disk are not looked at when an image is pulled, only when one is used."""
    files = {"vm/a.qcow2": qcow2_on(canary), "vm/b.txt": b"<html>\n404\n", "vm/folder/x": b"x"}
    reference = oci_image(tmp_path_factory.mktemp("oci") / "i", files, {"vm/c.img": str(canary)})
    product.command("image", "pull", reference, "--name", "team/broken:v1")
    return "team/broken:v1"


@pytest.mark.parametrize("file", BROKEN)
def test_broken_disk_fails_the_instance_with_its_rule_and_opens_nothing(
    product: Product, broken: str, canary: Path, file: str
) -> None:
    product.apply(kernel_boot_vmi("broken", **container_disk(broken, path=f"/vm/{file}")))
    vmi = product.wait_for_phase("broken", "Failed", seconds=15)
    reason, words = BROKEN[file]
    said = told(product, "vmi", "broken", "Synchronized")
    assert (vmi["status"]["reason"], said["reason"]) == (reason, reason)
    assert "volume root: " in said["message"]
    assert words in said["message"]
    assert canary.stat().st_atime == 0
    product.kubectl("delete", "vmi", "broken", "--timeout=30s")


@pytest.mark.parametrize(
    ("name", "words"), [("backing", "backing file"), ("text", "text file"), ("link", "is a link")]
)
def test_broken_image_is_refused_when_it_is_pulled_and_nothing_of_it_stays(
    product: Product, canary: Path, tmp_path: Path, name: str, words: str
) -> None:
    files = {"backing": {"disk/a": qcow2_on(canary)}, "text": {"disk/a": b"not\na disk\n"}, "link": {}}
    links = {"disk/a": str(canary)} if name == "link" else {}
    reference = oci_image(tmp_path / "i", files[name], links)
    done = product.command("image", "pull", reference, "--name", "team/refused:v1", check=False)
    assert done.returncode == 1
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert "team/refused" not in product.command("image", "ls").stdout
    assert list((product.state / "images" / "work").iterdir()) == []
    assert canary.stat().st_atime == 0
