"""What cannot be decoded is refused with the path."""

from typing import Any

import pytest

from virtdeck.basis.errors import Invalid
from virtdeck.crds import codec, kinds


def _vmi(domain: dict[str, Any], **spec: Any) -> dict[str, Any]:
    return {"spec": {"domain": {"devices": {}, **domain}, **spec}}


@pytest.mark.parametrize(
    ("doc", "field", "reason"),
    [
        (_vmi({"cpu": {"cores": "two"}}), "spec.domain.cpu.cores", "FieldValueInvalid"),
        (_vmi({"devices": {"disks": [{}]}}), "spec.domain.devices.disks[0].name", "FieldValueRequired"),
        (_vmi({}, volumes=[{"name": "a"}, {"name": 1}]), "spec.volumes[1].name", "FieldValueInvalid"),
        (_vmi({}, nodeSelector={"a": 1}), "spec.nodeSelector[*]", "FieldValueInvalid"),
        (_vmi({"cpu": {"cores": -1}}), "spec.domain.cpu.cores", "FieldValueInvalid"),
        (_vmi({}, volumes=[{"name": "a"}] * 257), "spec.volumes", "FieldValueInvalid"),
        ({"spec": {}}, "spec.domain", "FieldValueRequired"),
        ({}, "spec", "FieldValueRequired"),
    ],
)
def test_the_field_is_named(doc: dict[str, Any], field: str, reason: str) -> None:
    with pytest.raises(Invalid) as caught:
        codec.decode(doc, kinds.VMI.type)
    assert [(cause.field, cause.reason) for cause in caught.value.causes] == [(field, reason)]


@pytest.mark.parametrize("text", [b"", b"{", b"[]", b"\xff{}", b"[" * 100_000])
def test_what_is_not_an_object_is_refused(text: bytes) -> None:
    with pytest.raises(Invalid):
        codec.decode(text, kinds.VMI.type)


def test_unknown_fields_do_not_stop_a_component() -> None:
    vmi = codec.decode(_vmi({"fromTheFuture": 1}), kinds.VMI.type)
    assert vmi.spec.domain.cpu is None
