"""Which priority level a request belongs to: whose work must go on when somebody else has too much of it."""

from dataclasses import dataclass

from virtdeck.standalone.apiserver.access.identity import MASTERS, User

_COMPONENTS = ("system:serviceaccounts:kubevirt", "system:serviceaccounts:kube-system", "system:nodes")
_ACCOUNTS = "system:serviceaccounts"
_UNSCHEDULED = ("healthz", "livez", "readyz", "version", "metrics")
# Questions about access are written as creates, change nothing and call nobody.
_ASKING = ("authentication.k8s.io", "authorization.k8s.io")
_ROWS_A_SEAT = 1000
_MOST_SEATS = 10


@dataclass(frozen=True)
class Level:
    """A share of the server. seats: requests under way at once, of reads and of writes each.

    queued: how many of one user may wait for a seat.
    """

    name: str
    seats: int
    queued: int


SYSTEM = Level("system", 64, 256)
ADMIN = Level("workload-high", 48, 192)
ACCOUNTS = Level("workload-low", 32, 128)
EVERYBODY = Level("global-default", 24, 96)
STRANGERS = Level("catch-all", 4, 16)


def level_of(user: User) -> Level:
    """The level of a user's requests."""
    if user.is_anonymous:
        return STRANGERS
    if any(group in _COMPONENTS for group in user.groups):
        return SYSTEM
    if MASTERS in user.groups:
        return ADMIN
    return ACCOUNTS if _ACCOUNTS in user.groups else EVERYBODY


def is_unscheduled(parts: tuple[str, ...]) -> bool:
    """Whether the path is answered at once however busy the server is."""
    return parts[:1] != () and parts[0] in _UNSCHEDULED


def is_reading(verb: str, group: str) -> bool:
    """Whether the request calls no webhook: it ends whatever others wait for."""
    return verb in ("get", "list", "watch") or group in _ASKING


def seats_of_list(rows: int, limit: int) -> int:
    """How many seats a list of so many rows takes: it keeps the server that much longer."""
    counted = min(rows, limit) if limit else rows
    return min(1 + counted // _ROWS_A_SEAT, _MOST_SEATS)
