"""How a process is told to end."""

import signal

import anyio
import structlog

_log = structlog.get_logger()


async def cancel_on_signal(scope: anyio.CancelScope) -> None:
    """The scope was cancelled by SIGTERM or SIGINT."""
    with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
        async for number in signals:
            _log.info("stopping", signal=signal.Signals(number).name)
            scope.cancel()
            return
