"""Machines in the API as virt-controller and virt-handler would have left them."""

from typing import Any

import orjson
from tests.contract.gateway.instance import NODE

from virtdeck.crds import kinds
from virtdeck.kube.client import Client
from virtdeck.kube.objects import raw

_SYSTEM = "system:serviceaccount:kubevirt"
_GROUPS = ("system:serviceaccounts", "system:masters")


def template(**domain: Any) -> dict[str, Any]:
    """A VMI's spec."""
    return {"domain": {"devices": {}, "memory": {"guest": "64Mi"}, **domain}}


async def make_vm(client: Client, namespace: str, name: str, strategy: str = "Halted") -> dict[str, Any]:
    body = {
        "apiVersion": "kubevirt.io/v1",
        "kind": "VirtualMachine",
        "metadata": {"name": name},
        "spec": {"runStrategy": strategy, "template": {"spec": template()}},
    }
    return await client.create(raw(kinds.VM), body, namespace)


async def read_vm(client: Client, namespace: str, name: str) -> dict[str, Any]:
    return await client.require(raw(kinds.VM), name, namespace)


async def make_vmi(client: Client, namespace: str, name: str, *conditions: str, **status: Any) -> str:
    """A running instance on our node; answers its uid."""
    body = {
        "apiVersion": "kubevirt.io/v1",
        "kind": "VirtualMachineInstance",
        "metadata": {"name": name},
        "spec": template(),
    }
    controller = client.as_user(f"{_SYSTEM}:kubevirt-controller", _GROUPS)
    made = await controller.create(raw(kinds.VMI), body, namespace)
    found = [{"type": kind, "status": "True"} for kind in conditions]
    wanted = {"status": {"phase": "Running", "nodeName": NODE, "conditions": found, **status}}
    await controller.merge_patch(raw(kinds.VMI), name, namespace, wanted)
    uid: str = made["metadata"]["uid"]
    return uid


async def make_launcher(client: Client, namespace: str, vmi: str, uid: str, address: str) -> None:
    """The instance's launcher pod with its address, as virt-controller makes it and the runner reports it."""
    owner = {
        "apiVersion": "kubevirt.io/v1",
        "kind": "VirtualMachineInstance",
        "name": vmi,
        "uid": uid,
        "controller": True,
    }
    body = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": f"virt-launcher-{vmi}",
            "labels": {"kubevirt.io": "virt-launcher", "kubevirt.io/created-by": uid},
            "ownerReferences": [owner],
        },
        "spec": {"containers": [{"name": "compute", "image": "x"}]},
    }
    controller = client.as_user(f"{_SYSTEM}:kubevirt-controller", _GROUPS)
    await controller.create(raw(kinds.POD), body, namespace)
    status = {"status": {"podIP": address, "podIPs": [{"ip": address}], "phase": "Running"}}
    await controller.merge_patch(raw(kinds.POD), f"virt-launcher-{vmi}", namespace, status, "status")


async def act(
    client: Client, namespace: str, kind: str, name: str, sub: str, body: dict[str, Any] | None = None
) -> tuple[int, dict[str, Any]]:
    """PUT a subresource through the API server: code and Status."""
    path = f"/apis/subresources.kubevirt.io/v1/namespaces/{namespace}/{kind}/{name}/{sub}"
    code, answer = await client.request("PUT", path, body=body or {})
    return code, orjson.loads(answer) if answer else {}


async def make_token(client: Client, namespace: str, account: str) -> str:
    """A token of a new service account."""
    accounts = f"/api/v1/namespaces/{namespace}/serviceaccounts"
    body = {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": account}}
    await client.request("POST", accounts, body=body)
    wanted = {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {}}
    code, answer = await client.request("POST", f"{accounts}/{account}/token", body=wanted)
    assert code == 201, answer
    token: str = orjson.loads(answer)["status"]["token"]
    return token


async def bind(client: Client, namespace: str, account: str, role: str) -> None:
    """The account has the cluster role in its namespace."""
    group = "rbac.authorization.k8s.io"
    body = {
        "apiVersion": f"{group}/v1",
        "kind": "RoleBinding",
        "metadata": {"name": account},
        "roleRef": {"apiGroup": group, "kind": "ClusterRole", "name": role},
        "subjects": [{"kind": "ServiceAccount", "name": account, "namespace": namespace}],
    }
    path = f"/apis/{group}/v1/namespaces/{namespace}/rolebindings"
    assert (await client.request("POST", path, body=body)).status == 201
