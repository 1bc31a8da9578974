"""From an expression's text to its program, with all that Kubernetes gives expressions."""

from collections.abc import Mapping
from functools import cache

from virtdeck.cel.checker import Checked, check
from virtdeck.cel.library.addresses import ADDRESSES
from virtdeck.cel.library.authorization import AUTHORIZATION
from virtdeck.cel.library.formats import FORMATS
from virtdeck.cel.library.lists import LISTS, SETS
from virtdeck.cel.library.operators import OPERATORS
from virtdeck.cel.library.quantities import QUANTITIES
from virtdeck.cel.library.regexes import REGEXES
from virtdeck.cel.library.standard import STANDARD
from virtdeck.cel.library.strings import STRINGS
from virtdeck.cel.library.urls import URLS
from virtdeck.cel.literals import causes_of_literals
from virtdeck.cel.parser import parse
from virtdeck.cel.programs import Program, compile_program
from virtdeck.cel.signatures import Library, merged
from virtdeck.cel.syntax import ExpressionError
from virtdeck.cel.types import Type

# One call of one expression, and all of a request's together: about a tenth of a second and a second.
MOST_PER_CALL = 1_000_000
MOST_PER_REQUEST = 10_000_000


@cache
def library() -> Library:
    """Every function by name."""
    parts = (
        OPERATORS,
        STANDARD,
        STRINGS,
        LISTS,
        SETS,
        REGEXES,
        URLS,
        ADDRESSES,
        QUANTITIES,
        FORMATS,
        AUTHORIZATION,
    )
    return merged(parts)


def checked(text: str, variables: Mapping[str, Type]) -> Checked:
    """The expression, parsed and checked. Raises: ExpressionError."""
    found = check(text, parse(text), variables, library())
    if faults := causes_of_literals(found):
        raise ExpressionError(text, faults)
    return found


def compiled(text: str, variables: Mapping[str, Type]) -> Program:
    """The expression's program. Raises: ExpressionError."""
    return compile_program(checked(text, variables), tuple(variables))
