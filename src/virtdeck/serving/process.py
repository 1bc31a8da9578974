"""The life of a serving process: uvloop, until SIGTERM or SIGINT."""

from collections.abc import Awaitable, Callable

import anyio

from virtdeck.basis.stopping import cancel_on_signal


def run(main: Callable[[], Awaitable[None]]) -> None:
    """``main`` has run on uvloop, to its end or until a signal cancelled it."""
    anyio.run(_until_signal, main, backend="asyncio", backend_options={"use_uvloop": True})


async def _until_signal(main: Callable[[], Awaitable[None]]) -> None:
    async with anyio.create_task_group() as group:
        group.start_soon(cancel_on_signal, group.cancel_scope)
        await main()
        group.cancel_scope.cancel()
