"""The same client, cache, events and lease against the real API server, with TLS and client certificates."""

import signal
from collections.abc import AsyncIterator, Iterator
from typing import Any

import anyio
import pytest
from tests.contract.kube.test_cache import names, until
from tests.contract.kube.test_client import MAP
from tests.integration.controllers.instance import Cluster, make_cluster, running, wait_listening

from virtdeck.basis.clock import SystemClock
from virtdeck.basis.errors import Absent, Conflict, Invalid, Refused
from virtdeck.crds import kinds
from virtdeck.crds.core.config import ConfigMap
from virtdeck.kube.cache import Cache
from virtdeck.kube.client import Client, open_client
from virtdeck.kube.events import EventRecorder
from virtdeck.kube.kubeconfig import load_kubeconfig
from virtdeck.kube.lease import LeaseTerms, lead
from virtdeck.kube.objects import raw
from virtdeck.kube.plans import EventNote

pytestmark = pytest.mark.anyio
NS = "default"


@pytest.fixture(scope="module")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with running(make_cluster(tmp_path_factory.mktemp("kube") / "state")) as found:
        yield found


@pytest.fixture
async def real(embedded: Cluster) -> AsyncIterator[Client]:
    async with open_client(load_kubeconfig(embedded.kubeconfig), "test") as client:
        yield client
        for found in await client.list(MAP, NS, label_selector="test"):
            await client.delete(MAP, found.metadata.name or "", NS)


def labelled(name: str, **data: str) -> dict[str, Any]:
    meta = {"name": name, "labels": {"test": "kube"}}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": meta, "data": data}


def cache_of_tests() -> Cache[ConfigMap]:
    return Cache(MAP, label_selector="test")


async def test_verbs(real: Client) -> None:
    created = await real.create(MAP, labelled("a", x="1"), NS)
    with pytest.raises(Conflict) as taken:
        await real.create(MAP, labelled("a"), NS)
    assert taken.value.reason == "AlreadyExists"
    assert (await real.merge_patch(MAP, "a", NS, {"data": {"y": "2"}})).data == {"x": "1", "y": "2"}
    ops = [{"op": "remove", "path": "/data/x"}]
    assert (await real.json_patch(MAP, "a", NS, ops)).data == {"y": "2"}
    patched = await real.strategic_patch(MAP, "a", NS, {"data": {"z": "3"}})
    assert patched.data == {"y": "2", "z": "3"}
    stale = {"metadata": {"resourceVersion": created.metadata.resource_version}, "data": {"x": "9"}}
    with pytest.raises(Conflict):
        await real.merge_patch(MAP, "a", NS, stale)
    with pytest.raises(Conflict):
        await real.delete(MAP, "a", NS, uid="another")
    assert await real.delete(MAP, "a", NS, uid=created.metadata.uid) is None
    with pytest.raises(Absent):
        await real.delete(MAP, "a", NS)


async def test_an_apply_owns_its_fields(real: Client) -> None:
    applied = await real.apply_patch(MAP, "a", NS, labelled("a", x="1"))
    assert applied.data == {"x": "1"}
    assert (await real.apply_patch(MAP, "a", NS, labelled("a", y="2"))).data == {"y": "2"}


async def test_a_dry_run_changes_nothing(real: Client) -> None:
    assert (await real.create(MAP, labelled("dry"), NS, dry_run=True)).metadata.uid
    assert await real.get(MAP, "dry", NS) is None


async def test_bad_input_is_refused(real: Client) -> None:
    with pytest.raises(Invalid):
        await real.create(MAP, labelled("NOT A NAME"), NS)


async def test_a_user_without_rights_is_refused(real: Client) -> None:
    nobody = real.as_user("nobody", ["nothing"])
    with pytest.raises(Refused) as caught:
        await nobody.list(MAP, NS)
    assert caught.value.authenticated


async def test_a_list_of_many_is_read_in_pages(real: Client) -> None:
    for number in range(7):
        await real.create(MAP, labelled(f"m{number}"), NS)
    code, body = await real.request(
        "GET", f"/api/v1/namespaces/{NS}/configmaps", query={"limit": "3", "labelSelector": "test"}
    )
    assert (code, b'"continue"' in body) == (200, True)
    assert len(await real.list(MAP, NS, label_selector="test")) == 7


async def test_a_delete_that_waits_for_a_finalizer_answers_with_what_is_left(real: Client) -> None:
    held = labelled("held")
    held["metadata"]["finalizers"] = ["test.example/held"]
    await real.create(raw(MAP), held, NS)
    left = await real.delete(MAP, "held", NS)
    assert left is not None
    assert left.metadata.deletion_timestamp
    await real.merge_patch(MAP, "held", NS, {"metadata": {"finalizers": None}})
    assert await real.get(MAP, "held", NS) is None


async def test_a_cache_follows_changes_and_survives_a_killed_server(real: Client, embedded: Cluster) -> None:
    cache = cache_of_tests()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(cache.run, real)
        with anyio.fail_after(5):
            await cache.wait_synced()
        await real.create(MAP, labelled("a"), NS)
        await until(cache, lambda: names(cache) == {"a"})
        await real.merge_patch(MAP, "a", NS, {"metadata": {"labels": {"test": None}}})
        await until(cache, lambda: names(cache) == set())
        await real.merge_patch(MAP, "a", NS, {"metadata": {"labels": {"test": "again"}}})
        await until(cache, lambda: names(cache) == {"a"})
        embedded.apiserver.kill(signal.SIGKILL)
        embedded.apiserver.start()
        await anyio.to_thread.run_sync(wait_listening, embedded.port)
        await real.create(MAP, labelled("b"), NS)
        await until(cache, lambda: names(cache) == {"a", "b"})
        await real.delete(MAP, "a", NS)
        await until(cache, lambda: names(cache) == {"b"})
        tasks.cancel_scope.cancel()


async def test_an_event_is_recorded_and_counted(real: Client) -> None:
    about = await real.create(MAP, labelled("a"), NS)
    recorder = EventRecorder(real, SystemClock(), "tester")
    note = EventNote("Warning", "Odd", "something is odd")
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(recorder.run)
        recorder.record(MAP, about, note)
        recorder.record(MAP, about, note)
        with anyio.fail_after(5):
            while True:
                selector = f"involvedObject.uid={about.metadata.uid}"
                found = await real.list(kinds.EVENT, NS, field_selector=selector)
                if [event.count for event in found] == [2]:
                    break
                await anyio.sleep(0.02)
        tasks.cancel_scope.cancel()


async def test_a_lease_is_taken_and_given_back(real: Client) -> None:
    held: list[str | None] = []

    async def body() -> None:
        lease = await real.require(kinds.LEASE, "l", NS)
        held.append(lease.spec.holder_identity if lease.spec else None)

    with anyio.fail_after(10):
        await lead(real, LeaseTerms("l", NS, "one"), SystemClock(), body)
    assert held == ["one"]
    lease = await real.require(kinds.LEASE, "l", NS)
    assert lease.spec is not None
    assert not lease.spec.holder_identity
