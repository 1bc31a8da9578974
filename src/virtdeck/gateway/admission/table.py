"""RULES.md, written from what runs by ``python -m virtdeck.gateway.admission.table``."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from virtdeck.gateway.admission.absent import ABSENT
from virtdeck.gateway.admission.tables import DEFAULTS, RULES

FILE = Path(__file__).with_name("RULES.md")
_HEAD = """# What admission fills in and refuses

Written by `python -m virtdeck.gateway.admission.table`; a test compares it. Ids number KubeVirt's rules;
a rule without one is our own. `{…}` in a message stands for a value.
Kind VMI: the same rules hold for the template of whatever starts VMIs.
"""


def render() -> str:
    """The whole file."""
    return "\n".join((_HEAD, *_defaults(), "", *_rules(), "", *_absent(), ""))


def _defaults() -> Iterator[str]:
    yield from ("## Filled in", "", *_header("id", "kind", "field", "filled with", "when"))
    for default in (default for area in DEFAULTS for default in area):
        yield _row(" ".join(default.ids), default.kind, f"`{default.field}`", default.value, default.when)


def _rules() -> Iterator[str]:
    yield from ("## Refused", "", *_header("id", "kind", "field", "refused when", "message"))
    for rule in (rule for area in RULES for rule in area):
        yield _row(
            " ".join(rule.ids), rule.kind, f"`{rule.field.text}`", rule.when, rule.says.replace("!r}", "}")
        )


def _absent() -> Iterator[str]:
    yield from ("## Not here", "", *_header("id", "why"))
    for name, why in ABSENT.items():
        yield _row(name, why)


def _header(*names: str) -> Iterable[str]:
    return (_row(*names), _row(*("---" for _ in names)))


def _row(*cells: str) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


if __name__ == "__main__":
    FILE.write_text(render())
