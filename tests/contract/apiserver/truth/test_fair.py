"""L-10: one tenant asks for fifty times its share; it is told to wait, and nobody else is."""

import os
import time
from collections import Counter

import anyio
import pytest
from tests.contract.apiserver.running import Api
from tests.contract.apiserver.truth.client import Client, Notes
from tests.contract.apiserver.truth.conftest import Starter

pytestmark = pytest.mark.anyio

LONG = bool(os.environ.get("TRUTH_LONG"))
CROWD = 300  # requests of the tenant that are under way at once
CONFIGMAPS = "/api/v1/namespaces/default/configmaps"
ACCOUNTS = "/api/v1/namespaces/default/serviceaccounts"


def tenant(api: Api, name: str) -> dict[str, str]:
    """The headers of an account that may do everything with ConfigMaps."""
    rules = [{"apiGroups": [""], "resources": ["configmaps"], "verbs": ["*"]}]
    group = "/apis/rbac.authorization.k8s.io/v1/namespaces/default"
    api.made(ACCOUNTS, {"metadata": {"name": name}})
    api.made(f"{group}/roles", {"metadata": {"name": name}, "rules": rules})
    subject = {"kind": "ServiceAccount", "name": name, "namespace": "default"}
    role = {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": name}
    api.made(f"{group}/rolebindings", {"metadata": {"name": name}, "roleRef": role, "subjects": [subject]})
    token = api.made(f"{ACCOUNTS}/{name}/token", {"spec": {"expirationSeconds": 3600}})["status"]["token"]
    return {"Authorization": f"Bearer {token}"}


async def storm(client: Client, headers: dict[str, str], seconds: float, codes: Counter[int]) -> None:
    """Lists and creates as fast as they are answered."""
    end = time.monotonic() + seconds

    async def one(worker: int) -> None:
        number = 0
        while time.monotonic() < end:
            number += 1
            body = {"metadata": {"name": f"storm-{worker}-{number}"}, "data": {"v": "p" * 2000}}
            path = CONFIGMAPS if worker % 3 else f"{CONFIGMAPS}?limit=500"
            method = "POST" if worker % 3 else "GET"
            async with client.session.request(method, path, headers=headers, json=body) as answer:
                await answer.read()
                codes[answer.status] += 1
                if answer.status == 429:
                    assert int(answer.headers["Retry-After"]) >= 1

    async with anyio.create_task_group() as group:
        for worker in range(CROWD):
            group.start_soon(one, worker)


async def pace(client: Client, headers: dict[str, str], times: int) -> list[float]:
    """Seconds of each of a modest client's requests, sorted; none is refused."""
    found = []
    for _ in range(times):
        begun = time.perf_counter()
        async with client.session.get(f"{CONFIGMAPS}/kept", headers=headers) as answer:
            assert answer.status == 200, await answer.text()
            await answer.read()
        found.append(time.perf_counter() - begun)
    return sorted(found)


async def test_storm_of_one_tenant_is_told_to_wait_and_nobody_else(starter: Starter) -> None:
    """L-10: 429 with Retry-After for the tenant; another tenant and the controllers are served."""
    server = starter()
    api = server.api()
    api.made(CONFIGMAPS, {"metadata": {"name": "kept"}})
    loud, quiet = tenant(api, "loud"), tenant(api, "quiet")
    codes: Counter[int] = Counter()
    strangers, notes = server.api(cert=""), Notes()
    async with (
        Client(strangers, notes) as crowd,
        Client(strangers, notes) as other,
        Client(server, notes) as admin,
    ):
        alone = await pace(other, quiet, 100)
        async with anyio.create_task_group() as group:
            group.start_soon(storm, crowd, loud, 30.0 if LONG else 4.0, codes)
            await anyio.sleep(1.0)
            beside = await pace(other, quiet, 30)
            controllers = await pace(admin, {}, 30)
    assert codes[429] > 0
    assert codes[201] > 0
    assert set(codes) <= {200, 201, 429}
    slowest = max(codes.total() / 1e3, 1.0)
    assert beside[14] < slowest
    assert controllers[14] < slowest
    if LONG:
        assert beside[28] <= 2 * alone[98] + 0.005
