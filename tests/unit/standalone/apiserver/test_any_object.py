"""Whatever is sent, for any built-in kind: it is stored, or refused with a Status, and nothing else."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import anyio
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from structlog.testing import capture_logs

from virtdeck.standalone.apiserver.main import Parts, compose
from virtdeck.standalone.apiserver.problems import StatusError
from virtdeck.standalone.apiserver.resources.builtin import builtin_resources
from virtdeck.standalone.apiserver.resources.resource import Resource
from virtdeck.standalone.apiserver.schema.kubernetes_types import fields_of, is_type, item_type, required_of
from virtdeck.standalone.apiserver.settings import Settings
from virtdeck.standalone.apiserver.storage.store import Store
from virtdeck.standalone.apiserver.telemetry.audit import Audit
from virtdeck.standalone.apiserver.verbs.attributes import Attributes

ODD: st.SearchStrategy[Any] = st.sampled_from(
    [None, True, 0, -1, 1.5, "", "x", [], [None], {}, {"a": None}, [[]], "\u0000"]
)
PLAIN: dict[str, Any] = {
    "s": st.sampled_from(["", "a", "A b", "1/2"]),
    "i": st.integers(-1, 9),
    "b": st.booleans(),
    "f": st.floats(0, 1),
    "t": st.sampled_from(["2026-01-01T00:00:00Z", "yesterday"]),
    "y": st.sampled_from(["YQ==", "?"]),
    "q": st.sampled_from(["1Gi", 3, "many"]),
    "n": st.sampled_from([1, "50%"]),
    "o": ODD,
}


@st.composite
def of_type(draw: st.DrawFn, kind: str, depth: int = 0) -> Any:
    """A value that mostly fits the type."""
    if draw(st.integers(0, 30)) == 0:
        return draw(ODD)
    if kind in PLAIN:
        return draw(PLAIN[kind])
    if kind[0] in "[{":
        items = draw(st.lists(of_type(item_type(kind), depth + 1), max_size=2 if depth < 4 else 0))
        return items if kind[0] == "[" else dict(zip("ab", items, strict=False))
    if not is_type(kind) or depth > 5:
        return {}
    names = [name for name in fields_of(kind) if name not in ("metadata", "kind", "apiVersion")]
    chosen = {*required_of(kind), *draw(st.lists(st.sampled_from(names), max_size=3))} if names else set()
    return {name: draw(of_type(fields_of(kind)[name], depth + 1)) for name in sorted(chosen)}


def opened(root: Path) -> tuple[Store, Parts]:
    store = Store(root / "store")
    chosen = Settings(
        bind="127.0.0.1:1",
        store="",
        tls_cert="",
        tls_key="",
        client_ca="",
        front_proxy_ca="",
        front_proxy_cert="",
        front_proxy_key="",
        service_account_key="",
    )
    return store, compose(chosen, store, Audit(""))


async def write(resource: Resource, bodies: list[Any]) -> None:
    with TemporaryDirectory() as folder:
        store, parts = opened(Path(folder))
        try:
            namespaces = parts.service.registry.require("", "v1", "namespaces")
            namespace = {"metadata": {"name": "n"}}
            await parts.service.pipeline.create(Attributes(namespaces, "CREATE", "", "n"), namespace)
            with capture_logs() as logged:
                for body in bodies:
                    await write_one(parts, resource, body)
            assert logged == []
        finally:
            store.close()


async def write_one(parts: Parts, resource: Resource, body: Any) -> None:
    given = {**body, "metadata": {"name": "x"}} if isinstance(body, dict) else {"metadata": body}
    pipeline = parts.service.pipeline
    for attempt in (
        pipeline.create(Attributes(resource, "CREATE", "n", "", strictness="Warn"), dict(given)),
        pipeline.update(Attributes(resource, "UPDATE", "n", "x"), lambda _old: dict(given)),
    ):
        try:
            await attempt
        except StatusError as fault:
            assert 400 <= fault.code < 500  # noqa: PT017 - success is as good


@pytest.mark.parametrize("resource", builtin_resources(), ids=lambda one: f"{one.plural}.{one.group}")
@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_object_is_stored_or_refused_with_a_status(resource: Resource, data: st.DataObject) -> None:
    anyio.run(write, resource, data.draw(st.lists(of_type(resource.type_name), min_size=1, max_size=6)))
