"""One spelling for each image."""

import pytest

from virtdeck.basis.errors import Invalid
from virtdeck.standalone.images.references import canonical, name_for, pull_source

DIGEST = "sha256:" + "a" * 64


@pytest.mark.parametrize(
    ("written", "known_as"),
    [
        ("virtdeck/demo", "virtdeck/demo:latest"),
        ("virtdeck/demo:1.2", "virtdeck/demo:1.2"),
        ("docker.io/library/debian", "debian:latest"),
        ("docker://docker.io/team/disk:v1", "team/disk:v1"),
        (
            "registry:5000/kubevirt/cirros-container-disk-demo:devel",
            "registry:5000/kubevirt/cirros-container-disk-demo:devel",
        ),
        (f"registry.example.com/x/y:tag@{DIGEST}", f"registry.example.com/x/y@{DIGEST}"),
    ],
)
def test_a_reference_has_one_canonical_name(written: str, known_as: str) -> None:
    assert canonical(written) == known_as


@pytest.mark.parametrize(
    "text", ["", "UPPER/case", "a b", "../etc", "x@sha256:12", "a" * 300, "x\n", "/abs", "-flag"]
)
def test_what_is_no_reference_is_refused(text: str) -> None:
    with pytest.raises(Invalid):
        canonical(text)


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("oci:/tmp/layout", "layout:latest"),
        ("oci:/tmp/layout:v1", "layout:v1"),
        ("docker-archive:/tmp/disk.tar:team/disk:3", "team/disk:3"),
        ("docker-archive:/tmp/Disk.tar", "disk:latest"),
        ("registry.example.com/a/b", "registry.example.com/a/b:latest"),
    ],
)
def test_an_archive_is_kept_under_its_tag_or_its_file_name(source: str, name: str) -> None:
    assert name_for(source) == name


def test_a_plain_reference_is_sought_in_its_registry() -> None:
    assert pull_source("registry.example.com/a/b:1") == "docker://registry.example.com/a/b:1"
    assert pull_source("oci:/x") == "oci:/x"
