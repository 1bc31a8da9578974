"""Regular expressions in time that grows with the text alone, whoever wrote them."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Protocol

from virtdeck.cel.values import EvaluationError


class Match(Protocol):
    """What was found."""

    def group(self) -> str:
        """The text that matches."""


class Matcher(Protocol):
    """A compiled expression."""

    def search(self, text: str) -> Match | None:
        """The first place where it is found."""

    def finditer(self, text: str) -> Iterator[Match]:
        """Every place where it is found."""


@lru_cache(maxsize=512)
def compiled(pattern: str) -> Matcher:
    """The expression in RE2's syntax, as Kubernetes reads it. Raises: EvaluationError."""
    import re2  # 3 MB that only servers with patterns pay for

    options = re2.Options()
    options.log_errors = False
    options.max_mem = 8 << 20
    try:
        found: Matcher = re2.compile(pattern, options)
    except re2.error as fault:
        why = fault.args[0].decode(errors="replace") if fault.args else ""
        raise EvaluationError(f"error parsing regexp: {why}") from fault
    return found
