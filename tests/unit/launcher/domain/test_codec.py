"""Elements to XML and back; hostile text stays text, hostile XML is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from virtdeck.basis.errors import Invalid
from virtdeck.launcher.domain.codec import parse, render
from virtdeck.launcher.domain.elements.machine import Entries, Entry, Os, OsType, Sysinfo
from virtdeck.launcher.domain.tree import Node, parse_tree

FORBIDDEN = "".join(map(chr, (*range(32), 0xFFFE, 0xFFFF)))
CARRIED = st.text(st.characters(codec="utf-8", exclude_characters=FORBIDDEN))


def shape(node: Node) -> tuple[object, ...]:
    return node.tag, tuple(sorted(node.attributes)), tuple(shape(child) for child in node.children)


def sysinfo(text: str) -> Sysinfo:
    return Sysinfo(type="smbios", system=Entries(entry=(Entry(name=text, value=text),)))


@given(CARRIED)
def test_text_never_becomes_markup(text: str) -> None:
    plain, hostile = render("sysinfo", sysinfo("plain")), render("sysinfo", sysinfo(text))
    assert shape(parse_tree(plain)) == shape(parse_tree(hostile))


@given(CARRIED)
def test_an_attribute_is_read_as_it_was_written(text: str) -> None:
    read = parse(render("sysinfo", sysinfo(text)), "sysinfo", Sysinfo)
    assert read.system is not None
    assert read.system.entry[0].name == text


@pytest.mark.parametrize("text", ["\x00", "a\x0bb", "\ufffe", "\ud800", "\x1b[2J"])
def test_characters_that_xml_cannot_carry_are_refused(text: str) -> None:
    with pytest.raises(Invalid):
        render("sysinfo", sysinfo(text))


@pytest.mark.parametrize(
    "text",
    [
        '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
        '<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>',
        "<a>&b;</a>",
        "<a>",
        "",
        "<a/><b/>",
        "<a>" * 100 + "</a>" * 100,
    ],
)
def test_hostile_xml_is_refused(text: str) -> None:
    with pytest.raises(Invalid):
        parse_tree(text)


def test_what_has_no_field_is_skipped() -> None:
    read = parse('<os firmware="efi"><type arch="x" machine="m">hvm</type><new/></os>', "os", Os)
    assert read == Os(type=OsType(arch="x", machine="m", value="hvm"))


def test_a_missing_part_is_named() -> None:
    with pytest.raises(Invalid, match="lacks type"):
        parse("<os/>", "os", Os)


def test_another_root_is_refused() -> None:
    with pytest.raises(Invalid, match="<os> was expected"):
        parse("<cpu/>", "os", Os)
