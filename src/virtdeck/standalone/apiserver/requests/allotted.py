"""How long a request may take, as its ``timeout`` parameter says."""

import math

from virtdeck.basis.errors import Invalid
from virtdeck.crds.duration import parse_duration
from virtdeck.standalone.apiserver.problems import bad_request
from virtdeck.standalone.apiserver.requests.call import Call

_MOST_SECONDS = 60.0  # as kube-apiserver


def allotted_seconds(call: Call) -> float:
    """The time until an answer must begin. Raises: StatusError 400."""
    text = call.parameter("timeout")
    if not text:
        return math.inf  # the server's own bound holds for every request
    try:
        seconds = parse_duration(text)
    except Invalid as fault:
        raise bad_request(
            f'invalid timeout specified in the request URL - time: invalid duration "{text}"'
        ) from fault
    return min(seconds, _MOST_SECONDS) if seconds > 0 else _MOST_SECONDS
