"""Text as key chords."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from virtdeck.gateway.console.views.keys import ALT_GR, LAYOUTS, MODIFIERS, SHIFT, chord_of, rolled, typing


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_printable_character_has_a_key_or_is_named(layout: str) -> None:
    text = string.ascii_letters + string.digits + string.punctuation + " \n\t"
    found = typing(text, layout)
    assert len(found.chords) + len(found.missing) == len(text)
    assert not set(found.missing) - set("^`´")


@pytest.mark.parametrize("layout", LAYOUTS)
def test_no_two_characters_of_a_layout_share_a_chord(layout: str) -> None:
    chords = list(LAYOUTS[layout][1].values())
    assert len(chords) == len(set(chords))


@pytest.mark.parametrize(
    ("layout", "text", "chords"),
    [
        ("us", "aA", ((30,), (SHIFT, 30))),
        ("us", "@\r\n", ((SHIFT, 3), (28,))),
        ("de", "yz@", ((44,), (21,), (ALT_GR, 16))),
        ("gb", '"@', ((SHIFT, 3), (SHIFT, 40))),
        ("unknown", "~", ((SHIFT, 41),)),
    ],
)
def test_a_character_is_typed_as_on_that_keyboard(
    layout: str, text: str, chords: tuple[tuple[int, ...], ...]
) -> None:
    assert typing(text, layout).chords == chords


def test_characters_without_a_key_are_named_once() -> None:
    assert typing("你好你", "us").missing == ("你", "好")


@pytest.mark.parametrize(
    ("names", "chord"),
    [
        ("ctrl+alt+delete", (29, 56, 111)),
        ("CTRL+ALT+F12", (29, 56, 88)),
        ("alt+sysrq+b", (56, 99, 48)),
        ("meta", (125,)),
        ("hyper+x", None),
        ("", None),
    ],
)
def test_a_combination_is_named_by_its_keys(names: str, chord: tuple[int, ...] | None) -> None:
    assert chord_of(names) == chord


@pytest.mark.parametrize(
    ("text", "chords"),
    [
        ("abc", ((30, 48, 46),)),
        ("aab", ((30,), (30, 48))),
        ("aBCd", ((30,), (SHIFT, 48, 46), (32,))),
        ("abcdefgh", ((30, 48, 46, 32), (18, 33, 34, 35))),
        ("ABCDEFG", ((SHIFT, 30, 48, 46), (SHIFT, 32, 18, 33), (SHIFT, 34))),
        ("a\nb", ((30,), (28,), (48,))),
        ("", ()),
    ],
)
def test_different_keys_roll_over_each_other(text: str, chords: tuple[tuple[int, ...], ...]) -> None:
    assert rolled(typing(text, "us").chords) == chords


@given(st.text(alphabet=sorted(LAYOUTS["de"][1])), st.sampled_from(sorted(LAYOUTS)))
def test_rolling_keeps_every_character_in_order(text: str, layout: str) -> None:
    plain = typing(text, layout).chords
    pressed = [
        (*(one for one in chord if one in MODIFIERS), key)
        for chord in rolled(plain)
        for key in chord
        if key not in MODIFIERS
    ]
    assert pressed == list(plain)
