"""Admission through the real API server, and who may ask the webhooks."""

import pytest
from tests.contract.gateway.instance import Running
from tests.contract.gateway.machines import make_vm, make_vmi, template
from tests.contract.gateway.person import http_session

from virtdeck.basis.errors import Invalid, Refused, VirtdeckError
from virtdeck.crds import kinds
from virtdeck.install.webhooks import Gateway, webhook_configurations
from virtdeck.kube.client import Client
from virtdeck.kube.objects import raw
from virtdeck.serving.tls import client_context

pytestmark = pytest.mark.anyio


async def test_a_machine_is_completed_before_it_is_stored(client: Client, namespace: str) -> None:
    made = await make_vm(client, namespace, "a")
    spec = made["spec"]["template"]["spec"]
    assert spec["architecture"] == "amd64"
    assert spec["domain"]["machine"]["type"]


async def test_every_fault_is_told_at_its_field(client: Client, namespace: str) -> None:
    body = {
        "apiVersion": "kubevirt.io/v1",
        "kind": "VirtualMachine",
        "metadata": {"name": "a"},
        "spec": {
            "runStrategy": "Sometimes",
            "template": {"spec": template(devices={"disks": [{"name": "none", "disk": {}}]})},
        },
    }
    with pytest.raises(Invalid) as caught:
        await client.create(raw(kinds.VM), body, namespace)
    fields = [cause.field for cause in caught.value.causes]
    assert "spec.runStrategy" in fields
    assert "spec.template.spec.domain.devices.disks[0].name" in fields


async def test_applying_the_same_twice_changes_nothing(client: Client, namespace: str) -> None:
    made = await make_vm(client, namespace, "a")
    again = await client.merge_patch(raw(kinds.VM), "a", namespace, {"spec": made["spec"]})
    assert again["metadata"]["resourceVersion"] == made["metadata"]["resourceVersion"]


async def test_nobody_but_virt_controller_makes_launcher_pods(client: Client, namespace: str) -> None:
    """S-12."""
    labels = {"kubevirt.io": "virt-launcher"}
    body = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "looks-like-one", "labels": labels},
        "spec": {"containers": [{"name": "c", "image": "x"}]},
    }
    with pytest.raises(Refused):
        await client.create(raw(kinds.POD), body, namespace)
    body["metadata"] = {"name": "looks-like-one", "labels": {"kubevirt.io/created-by": "somebody"}}
    with pytest.raises(Refused):
        await client.create(raw(kinds.POD), body, namespace)


async def test_users_do_not_write_an_instances_status(client: Client, namespace: str) -> None:
    await make_vmi(client, namespace, "a")
    with pytest.raises(VirtdeckError):
        await client.merge_patch(
            raw(kinds.VMI), "a", namespace, {"spec": {"domain": {"memory": {"guest": "1Gi"}}}}
        )


async def test_the_installation_stays_while_machines_are_there(client: Client, namespace: str) -> None:
    await make_vm(client, namespace, "a")
    strategy = {"spec": {"uninstallStrategy": "BlockUninstallIfWorkloadsExist"}}
    await client.merge_patch(raw(kinds.KUBEVIRT), "kubevirt", "kubevirt", strategy)
    with pytest.raises(VirtdeckError):
        await client.delete(kinds.KUBEVIRT, "kubevirt", "kubevirt")


PATHS = sorted(
    {
        webhook["clientConfig"]["url"].removeprefix("https://x")
        for configuration in webhook_configurations(Gateway("", url="https://x"))
        for webhook in configuration["webhooks"]
    }
)


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    ("name", "code"),
    [
        (None, 401),
        ("admin", 401),
        ("front-proxy-client", 401),
        ("gateway-client", 401),
        ("apiserver-webhook-client", 400),
    ],
)
async def test_each_webhook_answers_the_api_server_only(
    instance: Running, path: str, name: str | None, code: int
) -> None:
    pki = instance.pki
    cert = (f"{pki}/{name}.crt", f"{pki}/{name}.key") if name else (None, None)
    context = client_context(f"{pki}/component-ca.crt", *cert)
    async with (
        http_session() as session,
        session.post(instance.internal + path, data=b"{}", ssl=context) as response,
    ):
        assert response.status == code


async def test_nothing_else_answers_without_a_name(instance: Running) -> None:
    """S-63: the golden list of what anybody may ask the internal listener."""
    context = client_context(f"{instance.pki}/component-ca.crt")
    open_paths = ["/healthz", "/readyz", "/", "/apis", "/apis/subresources.kubevirt.io"]
    base = "/apis/subresources.kubevirt.io/v1"
    open_paths += [base, f"{base}/version", f"{base}/healthz", f"{base}/guestfs"]
    closed = ["/metrics", "/debug", "/auth/sessions", "/openapi/v2", "/static/x", "/api/v1/secrets", "/vms"]
    async with http_session() as session:
        for path in open_paths:
            async with session.get(instance.internal + path, ssl=context) as response:
                assert response.status == 200, path
        for path in closed:
            async with session.get(instance.internal + path, ssl=context) as response:
                assert response.status in (401, 404), path
