"""Runs all background work in one task group."""

import anyio

from virtdeck.standalone.apiserver.service import Service


async def run_background(service: Service) -> None:
    await anyio.sleep_forever()
