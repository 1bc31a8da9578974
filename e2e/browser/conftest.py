"""The console on a small cluster in this process, and a real browser in front of it."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from tests.unit.gateway.small_console import Stage, open_console

CHROMIUM = "/usr/bin/chromium"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Gone at the module's end: its event loop would stand in the way of async tests that come after."""
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture(scope="session")
def portal() -> Iterator[BlockingPortal]:
    with start_blocking_portal("asyncio") as opened:
        yield opened


@pytest.fixture
def stage(portal: BlockingPortal, tmp_path: Path) -> Iterator[Stage]:
    """A filled console of this test's own."""
    with portal.wrap_async_context_manager(open_console(tmp_path)) as opened:
        yield opened


Open = Callable[..., Page]


@pytest.fixture
def open_page(browser: Browser, stage: Stage) -> Iterator[Open]:
    """Opens a path in a fresh context; whatever the page complains about in its console fails the test."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def opened(path: str = "/", **how: Any) -> Page:
        how.setdefault("locale", "en-US")
        context = browser.new_context(viewport=how.pop("viewport", {"width": 1280, "height": 820}), **how)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(8000)
        page.on("pageerror", lambda error: complaints.append(f"{path}: {error}"))
        page.on(
            "console",
            lambda note: complaints.append(f"{path}: {note.text}") if note.type == "error" else None,
        )
        page.goto(stage.url + path, wait_until="domcontentloaded")
        return page

    yield opened
    for context in contexts:
        context.close()
    expected = ("status of 4", "net::ERR_", "Failed when connecting", "Failed to fetch")
    assert not [one for one in complaints if not any(text in one for text in expected)]
