"""Label selectors of what keeps a number of machines: they can be read, and select what is made."""

from virtdeck.basis.errors import Invalid
from virtdeck.crds.selectors import LabelSelector, matches, requirements
from virtdeck.gateway.admission.words import is_label_value, is_qualified_name

_WITH_VALUES = ("In", "NotIn")
_WITHOUT_VALUES = ("Exists", "DoesNotExist")


def why_unreadable(selector: LabelSelector) -> str | None:
    """What is wrong with a selector, None when nothing is."""
    for test in requirements(selector):
        if not is_qualified_name(test.key):
            return f"{test.key!r} is no label, as example.com/role"
        if test.operator not in (*_WITH_VALUES, *_WITHOUT_VALUES):
            return f"{test.operator!r} is no operator; use In, NotIn, Exists or DoesNotExist"
        if (test.operator in _WITH_VALUES) != bool(test.values):
            return f"{test.operator} must have {'values' if test.operator in _WITH_VALUES else 'no values'}"
        if not all(is_label_value(value) for value in test.values or ()):
            return f"{test.key} has a value that no label can have"
    return None


def selects(selector: LabelSelector, labels: dict[str, str] | None) -> bool:
    """True when the labels match; a selector that nobody can read selects nothing."""
    try:
        return matches(requirements(selector), labels)
    except Invalid:
        return False
