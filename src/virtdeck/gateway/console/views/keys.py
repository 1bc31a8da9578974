"""Text as key chords: which keys, in Linux key codes, type it on a keyboard layout.

Source: ``linux/input-event-codes.h`` for the codes; the guest must have the same layout set.
"""

from collections.abc import Sequence
from dataclasses import dataclass

SHIFT, CONTROL, ALT, META, ALT_GR = 42, 29, 56, 125, 100
ROWS = (
    (2, "1234567890-=", "!@#$%^&*()_+"),
    (16, "qwertyuiop[]", "QWERTYUIOP{}"),
    (30, "asdfghjkl;'", 'ASDFGHJKL:"'),
    (44, "zxcvbnm,./", "ZXCVBNM<>?"),
)
SINGLES = (("`", "~", 41), ("\\", "|", 43), (" ", " ", 57))
NAMED = {
    "ctrl": CONTROL,
    "alt": ALT,
    "shift": SHIFT,
    "meta": META,
    "esc": 1,
    "tab": 15,
    "backspace": 14,
    "enter": 28,
    "delete": 111,
    "insert": 110,
    "home": 102,
    "end": 107,
    "pageup": 104,
    "pagedown": 109,
    "up": 103,
    "down": 108,
    "left": 105,
    "right": 106,
    "printscreen": 99,
    "sysrq": 99,
    **{f"f{number}": 58 + number for number in range(1, 11)},
    "f11": 87,
    "f12": 88,
}
Chord = tuple[int, ...]
ENTER = 28
MODIFIERS = (SHIFT, CONTROL, ALT, META, ALT_GR)
MOST_AT_ONCE = 4  # 12 bytes of scan codes: a PS/2 keyboard keeps 16 for a guest that is slow to read them


def _us() -> dict[str, Chord]:
    keys: dict[str, Chord] = {"\n": (28,), "\t": (15,)}
    for first, plain, shifted in ROWS:
        for place, (one, other) in enumerate(zip(plain, shifted, strict=True)):
            keys[one] = (first + place,)
            keys[other] = (SHIFT, first + place)
    for one, other, code in SINGLES:
        keys[other] = (SHIFT, code)
        keys[one] = (code,)
    return keys


US = _us()


def _swapped(changes: dict[str, str], extra: dict[str, Chord]) -> dict[str, Chord]:
    """A layout as its difference to the US one: character → the character whose key types it there."""
    moved = {character: US[place] for character, place in changes.items()}
    gone = set(changes.values()) - set(changes)
    kept = {character: chord for character, chord in US.items() if character not in gone}
    return kept | moved | extra


_GERMAN = {
    "y": "z",
    "z": "y",
    "Y": "Z",
    "Z": "Y",
    '"': "@",
    "§": "#",
    "&": "^",
    "/": "&",
    "(": "*",
    ")": "(",
    "=": ")",
    "ß": "-",
    "?": "_",
    "ü": "[",
    "Ü": "{",
    "+": "]",
    "*": "}",
    "ö": ";",
    "Ö": ":",
    "ä": "'",
    "Ä": '"',
    "#": "\\",
    "'": "|",
    ";": "<",
    ":": ">",
    "-": "/",
    "_": "?",
}
_GERMAN_ALT_GR = {"{": 8, "[": 9, "]": 10, "}": 11, "\\": 12, "@": 16, "€": 18, "~": 27, "µ": 50, "|": 86}
_BRITISH = {'"': "@", "@": '"', "#": "\\", "~": "|", "£": "#", "¬": "~"}
LAYOUTS: dict[str, tuple[str, dict[str, Chord]]] = {
    "us": ("English (US)", US),
    "gb": (
        "English (UK)",
        _swapped(_BRITISH, {"\\": (86,), "|": (SHIFT, 86), "€": (ALT_GR, 5)}),
    ),
    "de": (
        "Deutsch",
        _swapped(
            _GERMAN,
            {"<": (86,), ">": (SHIFT, 86), "°": (SHIFT, 41)}
            | {character: (ALT_GR, code) for character, code in _GERMAN_ALT_GR.items()},
        ),
    ),
}
"""Name and characters of each layout. Dead keys are left out: their characters are shown as not typeable."""


@dataclass(frozen=True)
class Typing:
    """The chords that type a text, and the characters that this layout has no key for."""

    chords: tuple[Chord, ...]
    missing: tuple[str, ...]


def typing(text: str, layout: str) -> Typing:
    """How to type the text; line ends of every kind are one Enter."""
    keys = LAYOUTS.get(layout, LAYOUTS["us"])[1]
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    missing = tuple(dict.fromkeys(character for character in plain if character not in keys))
    return Typing(tuple(keys[character] for character in plain if character in keys), missing)


def rolled(chords: Sequence[Chord]) -> tuple[Chord, ...]:
    """The same text in fewer presses, as a fast typist's.

    Keys that differ and need the same modifiers go down one after another before the first is released; Enter
    stands alone.
    """
    found: list[Chord] = []
    for *modifiers, key in chords:
        last = found[-1] if found else ()
        same = last[: len(modifiers)] == tuple(modifiers) and len(last) > len(modifiers)
        plain = same and not any(one in MODIFIERS for one in last[len(modifiers) :])
        if plain and key not in last and len(last) < MOST_AT_ONCE and ENTER not in (key, last[-1]):
            found[-1] = (*last, key)
        else:
            found.append((*modifiers, key))
    return tuple(found)


def chord_of(names: str) -> Chord | None:
    """The chord that ``ctrl+alt+delete`` names; None when a key is not known."""
    found: list[int] = []
    for name in names.lower().split("+"):
        if name in NAMED:
            found.append(NAMED[name])
        elif len(name) == 1 and len(US.get(name, ())) == 1:
            found.append(US[name][0])
        else:
            return None
    return tuple(found)
