"""At most one of several equal processes works."""

import anyio
import pytest
from tests.contract.kube.server import SmallServer, status

from virtdeck.basis.clock import SystemClock
from virtdeck.basis.errors import Lost
from virtdeck.kube.client import Client
from virtdeck.kube.lease import LeaseTerms, lead

pytestmark = pytest.mark.anyio
PATH = "/apis/coordination.k8s.io/v1/namespaces/ns/leases/l"


def terms(identity: str) -> LeaseTerms:
    return LeaseTerms("l", "ns", identity, duration_seconds=1, renew_within_seconds=0.3, retry_seconds=0.02)


async def test_the_second_works_when_the_first_has_ended(client: Client, server: SmallServer) -> None:
    worked: list[str] = []
    first_may_end, first_works = anyio.Event(), anyio.Event()

    async def first() -> None:
        worked.append("first")
        first_works.set()
        await first_may_end.wait()

    async def second() -> None:
        assert first_may_end.is_set()
        worked.append("second")

    with anyio.fail_after(10):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(lead, client, terms("one"), SystemClock(), first)
            await first_works.wait()
            tasks.start_soon(lead, client, terms("two"), SystemClock(), second)
            await anyio.sleep(0.1)
            assert worked == ["first"]
            first_may_end.set()
    assert worked == ["first", "second"]
    assert server.objects[PATH]["spec"]["leaseTransitions"] == 1
    assert server.objects[PATH]["spec"]["holderIdentity"] == ""


async def test_a_holder_that_died_is_followed_after_its_time(client: Client, server: SmallServer) -> None:
    spec = {"holderIdentity": "dead", "leaseDurationSeconds": 1, "leaseTransitions": 4}
    await server.create(PATH.rsplit("/", 1)[0], {"metadata": {"name": "l"}, "spec": spec})
    done = anyio.Event()

    async def body() -> None:
        done.set()

    started = anyio.current_time()
    with anyio.fail_after(10):
        await lead(client, terms("heir"), SystemClock(), body)
    assert done.is_set()
    assert anyio.current_time() - started >= 1.0


async def test_a_leader_that_cannot_renew_stops_before_others_may_start(
    client: Client, server: SmallServer
) -> None:
    ended = anyio.Event()

    async def body() -> None:
        server.answers += [status(503, "ServiceUnavailable") for _ in range(1000)]
        try:
            await anyio.sleep_forever()
        finally:
            ended.set()

    started = anyio.current_time()
    with anyio.fail_after(10), pytest.raises(ExceptionGroup) as caught:
        await lead(client, terms("one"), SystemClock(), body)
    assert caught.group_contains(Lost)
    assert ended.is_set()
    assert anyio.current_time() - started < 1.0
