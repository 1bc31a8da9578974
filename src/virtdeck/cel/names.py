"""Names of fields as expressions must spell them, since not every name of a field is one of the language."""

import re

_SYMBOLS = {"__": "__underscores__", ".": "__dot__", "-": "__dash__", "/": "__slash__"}
_BACK = {escaped: plain for plain, escaped in _SYMBOLS.items()}
_WORDS = frozenset(
    [
        "true",
        "false",
        "null",
        "in",
        "as",
        "break",
        "const",
        "continue",
        "else",
        "for",
        "function",
        "if",
        "import",
        "let",
        "loop",
        "package",
        "namespace",
        "return",
    ]
) | {"var", "void", "while"}
_SPECIAL = re.compile(r"__|[./-]")
_ESCAPED = re.compile("|".join(_BACK))
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def escaped(key: str) -> str | None:
    """How expressions spell a field's name; None when they cannot."""
    if key in _WORDS:
        return f"__{key}__"
    found = _SPECIAL.sub(lambda match: _SYMBOLS[match[0]], key)
    return found if _NAME.fullmatch(found) else None


def key_of(name: str) -> str:
    """The field that an expression spells so."""
    if not name.startswith("__") and "__" not in name:
        return name
    if name[2:-2] in _WORDS and name == f"__{name[2:-2]}__":
        return name[2:-2]
    return _ESCAPED.sub(lambda match: _BACK[match[0]], name)
