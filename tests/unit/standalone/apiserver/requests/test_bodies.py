"""Bodies: JSON, YAML, protobuf, and what is refused."""

from contextlib import suppress

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from virtdeck.standalone.apiserver.problems import StatusError
from virtdeck.standalone.apiserver.requests.bodies import decode_object
from virtdeck.standalone.apiserver.requests.protobuf import Malformed, decode_protobuf

YAML = "application/yaml"


def field(number: int, data: bytes) -> bytes:
    return bytes([number << 3 | 2, len(data)]) + data


def envelope(api_version: str, kind: str, raw: bytes) -> bytes:
    named = field(1, api_version.encode()) + field(2, kind.encode())
    return b"k8s\x00" + field(1, named) + field(2, raw)


def test_yaml_keeps_json_types() -> None:
    found = decode_object(b"a: 2020-01-01\nb: 1\non: {1: x}\n", YAML)
    assert found == {"a": "2020-01-01", "b": 1, "true": {"1": "x"}}


def test_yaml_aliases_are_refused() -> None:
    with pytest.raises(StatusError, match="aliases are not taken"):
        decode_object(b"a: &x [1]\nb: *x\n", YAML)


@pytest.mark.parametrize("body", [b"", b"[]", b"1", b"{", b"\xff"])
def test_what_is_no_object_is_a_bad_request(body: bytes) -> None:
    with pytest.raises(StatusError) as caught:
        decode_object(body, "application/json")
    assert caught.value.code == 400


def test_depth_is_bounded() -> None:
    body = orjson.loads(b'{"a":' * 100 + b"1" + b"}" * 100)
    assert decode_object(orjson.dumps(body), "application/json") == body
    with pytest.raises(StatusError, match="nested deeper than 128"):
        decode_object(b'{"a":' * 200 + b"1" + b"}" * 200, "application/json")


def test_deep_yaml_is_refused_before_it_is_built() -> None:
    with pytest.raises(StatusError, match="nested deeper"):
        decode_object(b"[" * 500, YAML)


def test_protobuf_of_a_config_map() -> None:
    meta = field(1, b"name") + field(2, b"") + field(8, b"")
    data = field(2, field(1, b"k") + field(2, b"v"))
    found = decode_protobuf(envelope("v1", "ConfigMap", field(1, meta) + data))
    assert found == {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "name"},
        "data": {"k": "v"},
    }


def test_protobuf_of_an_unknown_kind_is_415() -> None:
    with pytest.raises(StatusError) as caught:
        decode_object(envelope("v1", "Odd", b""), "application/vnd.kubernetes.protobuf")
    assert caught.value.code == 415


@given(st.binary(max_size=80))
def test_any_bytes_are_an_object_or_malformed(data: bytes) -> None:
    for body in (data, b"k8s\x00" + data, envelope("v1", "Pod", data)):
        with suppress(Malformed):
            assert isinstance(decode_protobuf(body), dict)
