"""The demo guest's reader of cloud-config, run by the host's Perl."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

GUEST = Path(__file__).parents[3] / "src/virtdeck/standalone/images/demo/guest"
SHOW = r"""
use strict; use warnings; use Yaml;
sub show {
    my ($v) = @_;
    return 'null' unless defined $v;
    return '[' . join(',', map { show($_) } @$v) . ']' if ref $v eq 'ARRAY';
    return '{' . join(',', map { show($_) . ':' . show($v->{$_}) } sort keys %$v) . '}' if ref $v eq 'HASH';
    $v =~ s/([\\"])/\\$1/g; $v =~ s/\n/\\n/g; $v =~ s/\t/\\t/g;
    return "\"$v\"";
}
local $/; my $value = eval { Yaml::parse(<STDIN>) };
print $@ ? "fault: $@" : show($value);
"""


def read(text: str) -> Any:
    done = subprocess.run(
        ["perl", f"-I{GUEST}", "-e", SHOW], input=text, capture_output=True, text=True, check=True, timeout=10
    )
    return done.stdout.strip() if done.stdout.startswith("fault") else json.loads(done.stdout)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: 1\nb: two words\n", {"a": "1", "b": "two words"}),
        ("#cloud-config\n# note\na: x # note\n\nb: 'it''s'\n", {"a": "x", "b": "it's"}),
        ("a:\n  b:\n    c: d\n", {"a": {"b": {"c": "d"}}}),
        ("a:\n- b\n- c\n", {"a": ["b", "c"]}),
        ("a:\n  - b\n  -   c\n", {"a": ["b", "c"]}),
        ("- - a\n  - b\n- c: d\n  e: f\n", [["a", "b"], {"c": "d", "e": "f"}]),
        ("a: [x, 'y, z', {k: v}]\n", {"a": ["x", "y, z", {"k": "v"}]}),
        ("a: [x,\n  y]\nb: 1\n", {"a": ["x", "y"], "b": "1"}),
        ("a: |\n  one\n    two\n\n  three\nb: 1\n", {"a": "one\n  two\n\nthree\n", "b": "1"}),
        ("a: |-\n  one\n", {"a": "one"}),
        ("a: >\n  one\n  two\n", {"a": "one two\n"}),
        ('a: "tab\\tand \\u00e9"\n', {"a": "tab\tand é"}),
        ("a: ~\nb:\nc: null\n", {"a": None, "b": None, "c": None}),
        ("a: http://x:80/y#z\n", {"a": "http://x:80/y#z"}),
        ("a: one\n  two\n", {"a": "one two"}),
        ('{"a": {"b": [1, "two"]}}', {"a": {"b": ["1", "two"]}}),
        ('"quoted key": v\n', {"quoted key": "v"}),
        ("---\na: b\n", {"a": "b"}),
        ("", None),
    ],
)
def test_yaml_is_read_as_cloud_config_writes_it(text: str, value: Any) -> None:
    assert read(text) == value


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("a: &x 1\n", "anchors"),
        ("a: !!binary x\n", "tags"),
        ("a: [1\n", "not closed"),
        ("a: 1\n\tb: 2\n", "tab"),
        ("a: 1\na: 2\n", "twice"),
        ("a: 1\n    b: 2\n", "unexpected"),
        ("a: 'x' y\n", "behind a closing"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_line(text: str, fault: str) -> None:
    found = read(text)
    assert found.startswith("fault: ")
    assert fault in found


@pytest.mark.parametrize("data", [b"", b"h", b"hello world", bytes(range(256)) * 3])
def test_base64_is_decoded_without_a_module(data: bytes) -> None:
    import base64

    program = "use Cloud; binmode STDOUT; local $/; print Cloud::base64(<STDIN>)"
    text = base64.encodebytes(data)
    done = subprocess.run(
        ["perl", f"-I{GUEST}", "-e", program], input=text, capture_output=True, check=True, timeout=10
    )
    assert done.stdout == data
