"""The life of a serving process: uvloop, until SIGTERM or SIGINT."""

import signal
from collections.abc import Awaitable, Callable

import anyio


def run(main: Callable[[], Awaitable[None]]) -> None:
    """``main`` has run on uvloop, to its end or until a signal cancelled it."""
    anyio.run(_until_signal, main, backend="asyncio", backend_options={"use_uvloop": True})


async def _until_signal(main: Callable[[], Awaitable[None]]) -> None:
    async with anyio.create_task_group() as group:
        group.start_soon(_cancel_on_signal, group.cancel_scope)
        await main()
        group.cancel_scope.cancel()


async def _cancel_on_signal(scope: anyio.CancelScope) -> None:
    with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
        async for _ in signals:
            scope.cancel()
            return
