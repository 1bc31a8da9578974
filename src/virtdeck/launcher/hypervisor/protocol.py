"""The numbers of libvirt's RPC protocol and the public constants that this product uses.

Source: libvirt's remote_protocol.x, qemu_protocol.x and libvirt-domain.h.
"""

from enum import IntEnum
from typing import Final

REMOTE_PROGRAM: Final = 0x20008086
QEMU_PROGRAM: Final = 0x20008087
VERSION: Final = 1

MAX_MESSAGE_BYTES: Final = 32 * 1024 * 1024

# Types of a message
CALL: Final = 0
REPLY: Final = 1
EVENT: Final = 2
STREAM: Final = 3

# Status of a message
OK: Final = 0
ERROR: Final = 1
CONTINUE: Final = 2

ERROR_NO_DOMAIN: Final = 42
ERROR_OPERATION_INVALID: Final = 55
ERROR_AGENT_UNRESPONSIVE: Final = 86

START_PAUSED: Final = 1
POWER_BUTTON: Final = 1
BY_AGENT: Final = 2
KEYCODES_LINUX: Final = 0


class Procedure(IntEnum):
    """Calls, and the messages that arrive unasked."""

    CONNECT_OPEN = 1
    DOMAIN_CREATE_XML = 10
    DOMAIN_DESTROY = 12
    DOMAIN_GET_XML_DESC = 14
    DOMAIN_REBOOT = 27
    DOMAIN_RESUME = 28
    DOMAIN_SUSPEND = 34
    AUTH_LIST = 66
    DOMAIN_SCREENSHOT = 211
    DOMAIN_GET_STATE = 212
    DOMAIN_SEND_KEY = 226
    DOMAIN_RESET = 245
    DOMAIN_SHUTDOWN_FLAGS = 258
    EVENT_REGISTER = 316
    EVENT_LIFECYCLE = 318
    EVENT_REBOOT = 319
    EVENT_WATCHDOG = 321
    EVENT_IO_ERROR_REASON = 324
    CONNECT_GET_DOMAIN_CAPABILITIES = 342
    GET_ALL_DOMAIN_STATS = 344
    EVENT_AGENT_LIFECYCLE = 348


QEMU_AGENT_COMMAND: Final = 3


class EventId(IntEnum):
    """virDomainEventID."""

    LIFECYCLE = 0
    REBOOT = 1
    WATCHDOG = 3
    IO_ERROR_REASON = 6
    AGENT_LIFECYCLE = 18


class DomainState(IntEnum):
    """virDomainState."""

    NONE = 0
    RUNNING = 1
    BLOCKED = 2
    PAUSED = 3
    SHUTDOWN = 4
    SHUTOFF = 5
    CRASHED = 6
    PMSUSPENDED = 7


class PausedReason(IntEnum):
    """virDomainPausedReason, those that matter to a user."""

    USER = 1
    MIGRATION = 2
    IO_ERROR = 5
    WATCHDOG = 6
    CRASHED = 10
    STARTING_UP = 11


class Lifecycle(IntEnum):
    """virDomainEventType."""

    DEFINED = 0
    UNDEFINED = 1
    STARTED = 2
    SUSPENDED = 3
    RESUMED = 4
    STOPPED = 5
    SHUTDOWN = 6
    PMSUSPENDED = 7
    CRASHED = 8


class StoppedDetail(IntEnum):
    """virDomainEventStoppedDetailType."""

    SHUTDOWN = 0
    DESTROYED = 1
    CRASHED = 2
    MIGRATED = 3
    SAVED = 4
    FAILED = 5
    FROM_SNAPSHOT = 6
