"""The subresource API through the real API server: identity, rights, acts."""

from typing import Any

import orjson
import pytest
from tests.contract.gateway.instance import NODE, Running, SmallHandler
from tests.contract.gateway.machines import act, make_vm, make_vmi, read_vm
from tests.contract.gateway.person import http_session

from virtdeck.kube.client import Client
from virtdeck.serving.tls import client_context

pytestmark = pytest.mark.anyio

VM, VMI = "virtualmachines", "virtualmachineinstances"
BASE = "/apis/subresources.kubevirt.io/v1"


async def test_start_and_stop_change_the_strategy(client: Client, namespace: str) -> None:
    await make_vm(client, namespace, "a")
    assert (await act(client, namespace, VM, "a", "start"))[0] == 202
    assert (await read_vm(client, namespace, "a"))["spec"]["runStrategy"] == "Always"
    code, refusal = await act(client, namespace, VM, "a", "start")
    assert (code, refusal["reason"]) == (409, "Conflict")
    assert (await act(client, namespace, VM, "a", "stop"))[0] == 202
    assert (await read_vm(client, namespace, "a"))["spec"]["runStrategy"] == "Halted"


async def test_a_manual_start_is_a_request(client: Client, namespace: str) -> None:
    await make_vm(client, namespace, "a", "Manual")
    assert (await act(client, namespace, VM, "a", "start", {"paused": True}))[0] == 202
    requests = (await read_vm(client, namespace, "a"))["status"]["stateChangeRequests"]
    assert requests == [{"action": "Start", "data": {"paused": "true"}}]


async def test_a_dry_run_changes_nothing(client: Client, namespace: str) -> None:
    await make_vm(client, namespace, "a")
    assert (await act(client, namespace, VM, "a", "start", {"dryRun": ["All"]}))[0] == 202
    assert (await read_vm(client, namespace, "a"))["spec"]["runStrategy"] == "Halted"


async def test_a_restart_by_force_shortens_the_instances_grace(client: Client, namespace: str) -> None:
    await make_vm(client, namespace, "a", "Manual")
    uid = await make_vmi(client, namespace, "a")
    assert (await act(client, namespace, VM, "a", "restart", {"gracePeriodSeconds": 0}))[0] == 202
    requests = (await read_vm(client, namespace, "a"))["status"]["stateChangeRequests"]
    assert requests == [{"action": "Stop", "uid": uid}, {"action": "Start"}]
    vmi = await client.request("GET", f"/apis/kubevirt.io/v1/namespaces/{namespace}/{VMI}/a")
    assert orjson.loads(vmi.body)["spec"]["terminationGracePeriodSeconds"] == 1


async def test_migrate_is_refused_with_its_reason(
    client: Client, namespace: str, handler: SmallHandler
) -> None:
    await make_vm(client, namespace, "a")
    await make_vmi(client, namespace, "a")
    code, refusal = await act(client, namespace, VM, "a", "migrate")
    assert (code, refusal["message"]) == (
        409,
        "there is no other node that the instance could be migrated to",
    )


@pytest.mark.parametrize("sub", ["pause", "freeze", "unfreeze", "reset", "softreboot", "sendkeys"])
async def test_acts_reach_virt_handler_with_the_persons_name(
    client: Client, namespace: str, handler: SmallHandler, sub: str
) -> None:
    await make_vmi(client, namespace, "a")
    code, _ = await act(client, namespace, VMI, "a", sub, {"unfreezeTimeout": "5m"})
    assert code == 200
    name, body, who = handler.calls[0]
    assert (name, who) == (sub, {"x-virtdeck-user": "admin"})
    assert orjson.loads(body) == {"unfreezeTimeout": "5m"}


async def test_a_dry_run_of_a_pause_is_no_act_and_foresees_its_end(
    client: Client, namespace: str, handler: SmallHandler
) -> None:
    await make_vmi(client, namespace, "a")
    await make_vmi(client, namespace, "b", "Paused")
    dry = {"dryRun": ["All"]}
    assert (await act(client, namespace, VMI, "b", "pause", dry))[0] == 409
    assert (await act(client, namespace, VMI, "a", "unpause", dry))[0] == 409
    assert (await act(client, namespace, VMI, "a", "pause", dry))[0] == 200
    assert handler.calls == []


async def test_what_the_agent_says_is_read_through(
    client: Client, namespace: str, handler: SmallHandler
) -> None:
    await make_vmi(client, namespace, "a", "AgentConnected")
    await make_vmi(client, namespace, "silent")
    path = f"{BASE}/namespaces/{namespace}/{VMI}"
    for sub in ("guestosinfo", "userlist", "filesystemlist"):
        code, body = await client.request("GET", f"{path}/a/{sub}")
        assert (code, body) == (200, b'{"told":1}')
    assert (await client.request("GET", f"{path}/silent/guestosinfo")).status == 409
    code, picture = await client.request("GET", f"{path}/a/vnc/screenshot")
    assert (code, picture) == (200, b"\x89PNG")


async def test_virt_handlers_refusal_is_the_clients(
    client: Client, namespace: str, handler: SmallHandler
) -> None:
    await make_vmi(client, namespace, "a")
    handler.refuse_with = (409, "Conflict", "the guest is shutting down")
    code, refusal = await act(client, namespace, VMI, "a", "pause")
    assert (code, refusal["message"]) == (409, "the guest is shutting down")
    handler.refuse_with = (500, "InternalError", "QEMU does not answer")
    code, refusal = await act(client, namespace, VMI, "a", "pause")
    assert (code, "QEMU does not answer" in refusal["message"]) == (500, True)


async def test_a_redirect_is_not_followed(client: Client, namespace: str, handler: SmallHandler) -> None:
    """S-40."""
    await make_vmi(client, namespace, "a")
    handler.refuse_with = (302, "", "over there")
    code, refusal = await act(client, namespace, VMI, "a", "pause")
    assert (code, refusal["kind"]) == (500, "Status")


async def test_a_node_that_does_not_answer_is_said_so(
    client: Client, namespace: str, handler: SmallHandler
) -> None:
    await make_vmi(client, namespace, "a", nodeName="n9")
    code, refusal = await act(client, namespace, VMI, "a", "pause")
    assert (code, refusal["message"]) == (503, "node n9 is not known")


async def test_what_is_not_there_is_not_found(client: Client, namespace: str) -> None:
    assert (await act(client, namespace, VM, "none", "start"))[0] == 404
    assert (await act(client, namespace, VMI, "none", "pause"))[0] == 404
    assert (await act(client, namespace, VM, "none", "nosuch"))[0] == 404


async def test_what_is_not_offered_says_why(client: Client, namespace: str) -> None:
    await make_vm(client, namespace, "a")
    for sub, code in (("addvolume", 400), ("memorydump", 400)):
        answered, refusal = await act(client, namespace, VM, "a", sub)
        assert (answered, refusal["kind"]) == (code, "Status"), sub
    assert (await client.request("GET", f"{BASE}/start-cluster-profiler")).status == 403


async def test_a_guest_that_was_to_leave_its_node_stays(client: Client, namespace: str) -> None:
    await make_vm(client, namespace, "a")
    await make_vmi(client, namespace, "a", evacuationNodeName=NODE)
    path = f"/apis/kubevirt.io/v1/namespaces/{namespace}/{VMI}/a"
    for options in ({"evacuationNodeName": "n9"}, {"evacuationNodeName": NODE, "dryRun": ["All"]}):
        assert (await act(client, namespace, VM, "a", "evacuate/cancel", options))[0] == 200
        assert orjson.loads((await client.request("GET", path)).body)["status"]["evacuationNodeName"] == NODE
    for _ in range(2):  # a second time there is nothing to do
        assert (await act(client, namespace, VMI, "a", "evacuate/cancel", {"evacuationNodeName": NODE}))[
            0
        ] == 200
        status = orjson.loads((await client.request("GET", path)).body)["status"]
        assert "evacuationNodeName" not in status
    home = f"{BASE}/namespaces/{namespace}/{VMI}/a/evacuate/cancel"
    assert (await client.request("PUT", home)).status == 400
    assert (await act(client, namespace, VMI, "none", "evacuate/cancel", {"evacuationNodeName": NODE}))[
        0
    ] == 404


async def test_everybody_may_know_the_version(client: Client) -> None:
    nobody = client.as_user("nobody", ())
    for path in (f"{BASE}/version", f"{BASE}/guestfs", f"{BASE}/healthz"):
        assert (await client.request("GET", path)).status == 200
    assert (await nobody.request("GET", f"{BASE}/namespaces/x/{VM}/a/expand-spec")).status == 403


async def test_a_spec_without_instance_type_is_expanded_already(client: Client, namespace: str) -> None:
    made = await make_vm(client, namespace, "a")
    code, body = await client.request("GET", f"{BASE}/namespaces/{namespace}/{VM}/a/expand-spec")
    assert (code, orjson.loads(body)["spec"]) == (200, made["spec"])
    given = {
        "apiVersion": "kubevirt.io/v1",
        "kind": "VirtualMachine",
        **{k: made[k] for k in ("metadata", "spec")},
    }
    path = f"{BASE}/namespaces/{namespace}/expand-vm-spec"
    assert (await client.request("PUT", path, body=given)).status == 200
    other = {**given, "metadata": {**given["metadata"], "namespace": "other"}}
    assert (await client.request("PUT", path, body=other)).status == 400


async def allow(client: Client, namespace: str, user: str, *resources: str) -> None:
    """The user may get these, and nothing else."""
    rules = [{"apiGroups": ["subresources.kubevirt.io"], "resources": list(resources), "verbs": ["get"]}]
    base = f"/apis/rbac.authorization.k8s.io/v1/namespaces/{namespace}"
    meta = {"metadata": {"name": f"only-{user}"}}
    role = {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "Role", "rules": rules, **meta}
    group = {"apiGroup": "rbac.authorization.k8s.io"}
    binding: dict[str, Any] = {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "RoleBinding",
        "roleRef": {**group, "kind": "Role", "name": f"only-{user}"},
        "subjects": [{**group, "kind": "User", "name": user}],
        **meta,
    }
    assert (await client.request("POST", f"{base}/roles", body=role)).status == 201
    assert (await client.request("POST", f"{base}/rolebindings", body=binding)).status == 201


async def test_a_right_is_for_one_subresource_only(
    client: Client, namespace: str, handler: SmallHandler
) -> None:
    """S-16: whoever may see the screen may not therefore take a picture of it.

    The API server itself only sees the first part (``vnc``); the whole is reviewed by virt-api.
    """
    await make_vmi(client, namespace, "a")
    await allow(client, namespace, "viewer", f"{VMI}/vnc")
    await allow(client, namespace, "photographer", f"{VMI}/vnc", f"{VMI}/vnc/screenshot")
    path = f"{BASE}/namespaces/{namespace}/{VMI}/a"
    photographer = client.as_user("photographer", ("system:authenticated",))
    assert (await photographer.request("GET", f"{path}/vnc/screenshot")).status == 200
    viewer = client.as_user("viewer", ("system:authenticated",))
    refusal = await viewer.request("GET", f"{path}/vnc/screenshot")
    assert refusal.status == 403
    assert (await viewer.request("PUT", f"{path}/pause", body={})).status == 403


IDENTITIES = [
    (None, 401),
    ("admin", 401),  # the cluster's CA is not the front proxy's
    ("gateway-client", 401),
    ("apiserver-webhook-client", 401),
    ("front-proxy-client", 200),
]


@pytest.mark.parametrize(("name", "code"), IDENTITIES)
async def test_only_the_front_proxys_word_counts(
    instance: Running, client: Client, namespace: str, name: str | None, code: int
) -> None:
    """S-09: a header is believed from one certificate only."""
    await make_vm(client, namespace, "a")
    pki = instance.pki
    cert = (f"{pki}/{name}.crt", f"{pki}/{name}.key") if name else (None, None)
    context = client_context(f"{pki}/component-ca.crt", *cert)
    headers = {"X-Remote-User": "root", "X-Remote-Group": "system:masters"}
    url = f"{instance.internal}{BASE}/namespaces/{namespace}/{VM}/a/expand-spec"
    async with (
        http_session() as session,
        session.get(url, headers=headers, ssl=context) as response,
    ):
        assert response.status == code


async def test_two_names_are_nobodys(instance: Running, client: Client, namespace: str) -> None:
    """S-42."""
    pki = instance.pki
    context = client_context(
        f"{pki}/component-ca.crt", f"{pki}/front-proxy-client.crt", f"{pki}/front-proxy-client.key"
    )
    headers = [("X-Remote-User", "ann"), ("X-Remote-User", "root"), ("X-Remote-Group", "system:masters")]
    url = f"{instance.internal}{BASE}/namespaces/{namespace}/{VM}/a/expand-spec"
    async with (
        http_session() as session,
        session.get(url, headers=headers, ssl=context) as response,
    ):
        assert response.status == 401
