"""Logging in, sessions, and what other sites and old codes cannot do."""

import pytest
from tests.contract.gateway.instance import Running
from tests.contract.gateway.machines import make_token
from tests.contract.gateway.person import Person, http_session

from virtdeck.kube.client import Client

pytestmark = pytest.mark.anyio


async def get(person: Person, path: str, **headers: str) -> int:
    async with person.http.get(path, headers=headers, allow_redirects=False) as response:
        return response.status


async def test_a_link_logs_in_once(person: Person) -> None:
    link = await person.new_link()
    async with person.http.get("/login", params={"link": link}) as response:
        assert response.status == 200  # looking at it does not use it up
        assert link in await response.text()
    assert await person.log_in(link=link, next="/vms") == 303
    assert await get(person, "/apis/kubevirt.io/v1/kubevirts") == 200
    assert await person.log_in(link=link) == 401


async def test_nobody_gets_in_without(person: Person) -> None:
    assert await get(person, "/apis/kubevirt.io/v1/virtualmachines") == 401
    assert await get(person, "/auth/sessions") == 401
    assert await person.log_in(link="guessed") == 401
    assert await person.log_in(token="guessed") == 401
    assert await person.log_in(next="/") == 401
    code, _ = await person.mutate("POST", "/ws-tickets", json={"namespace": "a", "name": "b", "kind": "vnc"})
    assert code == 401


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {},
    ],
)
async def test_another_sites_page_cannot_log_anybody_in(person: Person, headers: dict[str, str]) -> None:
    link = await person.new_link()
    async with person.http.post("/login", data={"link": link}, headers=headers) as response:
        assert response.status == 403
    assert await person.log_in(link=link) == 303  # and has not used the link up


async def test_a_link_needs_the_cluster_authoritys_certificate(instance: Running, person: Person) -> None:
    with pytest.raises(AssertionError, match="401"):
        await person.new_link("gateway-client")  # signed by the component CA
    async with person.http.post("/auth/login-links") as response:
        assert response.status == 401
    async with person.http.post("/auth/login-links", headers={"Authorization": "Bearer x"}) as response:
        assert response.status == 401


async def test_a_restart_of_virt_api_logs_nobody_out(instance: Running, person: Person) -> None:
    assert await person.log_in() == 303
    instance.gateway.kill()
    instance.start_gateway()
    assert await get(person, "/auth/sessions") == 200


async def test_a_logout_ends_the_session(person: Person) -> None:
    await person.log_in()
    async with person.http.post("/logout", data={"csrf": "0" * 64}, headers=person.own) as response:
        assert response.status == 403
    token = await person.csrf()
    async with person.http.post(
        "/logout", data={"csrf": token}, headers=person.own, allow_redirects=False
    ) as response:
        assert response.status == 303
    assert await get(person, "/auth/sessions") == 401


async def test_ones_sessions_can_be_seen_and_ended(person: Person, instance: Running) -> None:
    await person.log_in()
    async with Person.opened(instance) as elsewhere:
        await elsewhere.log_in()
        async with elsewhere.http.get("/auth/sessions") as response:
            mine = await response.json()
        name = next(item["name"] for item in mine["items"] if item["current"])
        assert await get(person, "/auth/sessions") == 200
        code, _ = await person.mutate("DELETE", f"/auth/sessions/{name}")
        assert code == 204
        assert await get(elsewhere, "/auth/sessions") == 401
    assert await get(person, "/auth/sessions") == 200
    code, _ = await person.mutate("DELETE", "/auth/sessions/session-of-somebody-else")
    assert code == 404


async def test_a_service_accounts_token_logs_in_as_the_account(
    person: Person, client: Client, namespace: str
) -> None:
    token = await make_token(client, namespace, "robot")
    assert await person.log_in(token=token) == 303
    # It may do nothing, and is told so by the API server itself.
    async with person.http.get(f"/apis/kubevirt.io/v1/namespaces/{namespace}/virtualmachines") as response:
        refusal = await response.json()
    assert (response.status, refusal["reason"]) == (403, "Forbidden")
    assert f"system:serviceaccount:{namespace}:robot" in refusal["message"]
    headers = {"Authorization": f"Bearer {token}"}
    async with http_session(person.instance.public, headers=headers) as program:
        async with program.get("/auth/sessions") as response:
            assert response.status == 200
        async with program.post("/auth/login-links") as response:
            assert response.status == 201


async def test_a_mutation_needs_the_sessions_token_and_origin(person: Person, namespace: str) -> None:
    await person.log_in()
    path = f"/apis/kubevirt.io/v1/namespaces/{namespace}/virtualmachines"
    for headers in (
        {"X-CSRF-Token": ""},
        {"X-CSRF-Token": "0" * 64},
        {"Origin": "https://evil.example"},
        {"Sec-Fetch-Site": "cross-site"},
    ):
        code, _ = await person.mutate("POST", path, json={}, headers=headers)
        assert code == 403


async def test_no_secret_is_logged(instance: Running, person: Person) -> None:
    link = await person.new_link()
    await get(person, f"/login?link={link}")
    await person.log_in(link=link)
    cookie = next(iter(person.http.cookie_jar)).value
    await get(person, f"/vms?token={cookie}", Authorization="Bearer canary-token")
    log = instance.state.log("gateway").read_text() + instance.state.log("apiserver").read_text()
    for secret in (link, cookie, "canary-token"):
        assert secret not in log
