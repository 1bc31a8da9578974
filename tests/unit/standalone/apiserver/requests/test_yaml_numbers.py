"""Numbers of YAML become JSON's, or the body is refused."""

import orjson
import pytest

from virtdeck.standalone.apiserver.problems import StatusError
from virtdeck.standalone.apiserver.requests.bodies import decode_value

YAML = "application/yaml"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (b"a: 9223372036854775807", 2**63 - 1),
        (b"a: 9223372036854775808", 2.0**63),
        (b"a: 36893488147419103232", 2.0**65),
        (b"a: -99999999999999999999", -1e20),
        (b"a: 0x10", 16),
        (b"a: true", True),
    ],
)
def test_a_number_fits_into_what_is_stored(text: bytes, value: object) -> None:
    found = decode_value(text, YAML)
    assert found == {"a": value}
    assert type(found["a"]) is type(value)
    assert orjson.loads(orjson.dumps(found)) == found


@pytest.mark.parametrize("text", [b"a: .inf", b"a: [-.inf]", b"a: .nan", b"a: 1" + b"0" * 400])
def test_what_json_has_no_number_for_is_refused(text: bytes) -> None:
    with pytest.raises(StatusError) as caught:
        decode_value(text, YAML)
    assert caught.value.code == 400
