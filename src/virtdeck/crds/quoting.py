"""Texts as Kubernetes' messages quote them."""

from collections.abc import Mapping

_ESCAPES = {"\a": "\\a", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\v": "\\v"} | {
    "\\": "\\\\",
    '"': '\\"',
}


def quoted(text: str) -> str:
    """The text between double quotes, with escapes for what would end it or cannot be seen."""
    return '"' + "".join(map(_shown, text)) + '"'


def _shown(sign: str) -> str:
    if sign in _ESCAPES:
        return _ESCAPES[sign]
    if sign.isprintable():
        return sign
    code = ord(sign)
    if code < 0x80:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def shown_map(found: Mapping[str, object]) -> str:
    """An object as Kubernetes' messages show what they could not read."""
    return f"map[{' '.join(f'{name}:{_plain(found[name])}' for name in sorted(found))}]"


def _plain(value: object) -> str:
    if isinstance(value, Mapping):
        return shown_map(value)
    if isinstance(value, list):
        return f"[{' '.join(map(_plain, value))}]"
    if value is None:
        return "<nil>"
    return str(value).lower() if isinstance(value, bool) else str(value)
