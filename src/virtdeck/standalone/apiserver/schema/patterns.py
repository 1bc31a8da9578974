"""Patterns of schemas, in the syntax that Kubernetes reads and in time that grows with the text alone."""

from virtdeck.cel.patterns import compiled
from virtdeck.cel.values import EvaluationError


def fault_of_pattern(pattern: str) -> str:
    """Why the pattern cannot be used; empty if it can."""
    try:
        compiled(pattern)
    except EvaluationError as fault:
        return str(fault).removeprefix("error parsing regexp: ")
    return ""


def matches(pattern: str, value: str) -> bool:
    """Whether the pattern is found in the value; one that cannot be used holds for everything."""
    try:
        return compiled(pattern).search(value) is not None
    except EvaluationError:
        return True
