"""One running product for the whole session, and what tests read from it."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from e2e.product import Product, free_address, host_traces, until
from playwright.sync_api import Browser, sync_playwright

CHROMIUM_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
MANIFESTS = Path(__file__).parent / "manifests"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A test whose need is missing is skipped by the need's name."""
    missing = {
        "root": os.geteuid() != 0,
        "kubectl": not shutil.which("kubectl"),
        "browser": not shutil.which("chromium"),
    }
    for item in items:
        for need, is_missing in missing.items():
            if item.get_closest_marker(need) and is_missing:
                item.add_marker(pytest.mark.skip(reason=f"needs {need}"))


@pytest.fixture(scope="session")
def product(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    """The product, started as the README says; at the end nothing of it may be left on the host."""
    found = Product(tmp_path_factory.mktemp("e2e") / "state", free_address())
    found.up()
    yield found
    found.command("down", "--vms")
    traces = until(lambda: host_traces(found.state), lambda left: not any(left.values()), 20)
    assert not any(traces.values())


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A real browser that asks nobody outside for anything."""
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=CHROMIUM_ARGUMENTS)
        yield found
        found.close()


@pytest.fixture
def manifest() -> "Manifests":
    return Manifests()


class Manifests:
    """The example manifests by name."""

    def __call__(self, name: str) -> str:
        return (MANIFESTS / f"{name}.yaml").read_text()
