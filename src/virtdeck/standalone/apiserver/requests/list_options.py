"""The options of a list or watch (metav1.ListOptions) as the query gives them: refused by field."""

from virtdeck.basis.errors import Cause
from virtdeck.standalone.apiserver.problems import StatusError, bad_request, invalid
from virtdeck.standalone.apiserver.requests.call import Call

_MATCHES = ("Exact", "NotOlderThan")
_MOST_DIGITS = 40  # of a number that is looked at


def check_list_options(call: Call) -> None:
    """Returns when the options go together. Raises: StatusError 400, 422."""
    call.number("timeoutSeconds")
    asked = call.parameter("resourceVersion")
    if causes := list(_of_match(call, asked)):
        raise invalid("ListOptions", "meta.k8s.io", "", causes)
    if call.parameter("continue") and asked not in ("", "0") and call.target.verb != "watch":
        raise bad_request("specifying resource version is not allowed when using continue")


def asked_revision(call: Call) -> int | None:
    """The resourceVersion of the query; None when there is none. Raises: StatusError 400."""
    text = call.parameter("resourceVersion")
    if not text:
        return None
    if not (text.isascii() and text.isdecimal()):
        raise _no_revision(text, "invalid syntax")
    if len(text) > _MOST_DIGITS or int(text) >= 2**64:
        raise _no_revision(text, "value out of range")
    return int(text)


def _no_revision(text: str, why: str) -> StatusError:
    return bad_request(
        f'resourceVersion: Invalid value: "{text}": strconv.ParseUint: parsing "{text}": {why}'
    )


def included(call: Call) -> str:
    """How much of each object a table's rows hold. Raises: StatusError 400."""
    asked = call.parameter("includeObject")
    if asked not in ("", "None", "Metadata", "Object"):
        raise bad_request(
            f'Unable to convert to Table as requested: includeObject: Invalid value: "{asked}": must be '
            "'Metadata', 'Object', 'None', or empty"
        )
    return asked


def of_the_future(asked: int, current: int) -> StatusError:
    """A version that the store has not reached."""
    cause = {"reason": "ResourceVersionTooLarge", "message": "Too large resource version"}
    return StatusError(
        f"Timeout: Too large resource version: {asked}, current: {current}",
        "Timeout",
        504,
        {"causes": [cause], "retryAfterSeconds": 1},
        (("Retry-After", "1"),),
    )


def _of_match(call: Call, asked: str) -> list[Cause]:
    match = call.parameter("resourceVersionMatch")
    if not match:
        return []
    if call.target.verb == "watch":
        given = "sendInitialEvents" in call.query
        return [] if given else [_forbidden("is forbidden for watch unless sendInitialEvents is provided")]
    if call.parameter("continue"):
        return [_forbidden("is forbidden when continue is provided")]
    if not asked:
        return [_forbidden("is forbidden unless resourceVersion is provided")]
    if match == "Exact" and asked == "0":
        return [_forbidden('"exact" is forbidden for resourceVersion "0"')]
    text = f'Unsupported value: "{match}": supported values: "Exact", "NotOlderThan", ""'
    return [] if match in _MATCHES else [Cause("resourceVersionMatch", text, "FieldValueNotSupported")]


def _forbidden(why: str) -> Cause:
    text = f"Forbidden: resourceVersionMatch {why}"
    return Cause("resourceVersionMatch", text, "FieldValueForbidden")
