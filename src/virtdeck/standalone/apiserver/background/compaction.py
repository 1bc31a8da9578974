"""The past that is older than the store's window goes, whether anything is written or not."""

import anyio

from virtdeck.standalone.apiserver.storage.store import Store

_LOOK_SECONDS = 10.0
_SWEEP_SECONDS = 0.05  # between two sweeps while there is more, so that writes come between


async def compact_forever(store: Store) -> None:
    """Compacts the store now and then, until it is cancelled."""
    while True:
        store.compact()
        await anyio.sleep(_SWEEP_SECONDS if store.forgettable else _LOOK_SECONDS)
