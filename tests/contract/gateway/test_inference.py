"""What labels of volumes lead to, by every way that there is from a volume to a label (D1)."""

from collections.abc import AsyncIterator
from typing import Any

import anyio
import pytest

from virtdeck.crds import kinds
from virtdeck.crds.codec import decode
from virtdeck.crds.kubevirt.vm import VirtualMachine
from virtdeck.gateway.admission.choice import Inferred
from virtdeck.gateway.inference import Inference
from virtdeck.kube.client import Client
from virtdeck.kube.objects import raw

pytestmark = pytest.mark.anyio

Plain = dict[str, Any]
LABELS = {
    "instancetype.kubevirt.io/default-instancetype": "u1.small",
    "instancetype.kubevirt.io/default-preference": "debian.12",
    "instancetype.kubevirt.io/default-preference-kind": "VirtualMachinePreference",
}
FOREIGN = (
    ("cdi.kubevirt.io", "v1beta1", "datavolumes", "DataVolume"),
    ("cdi.kubevirt.io", "v1beta1", "datasources", "DataSource"),
)
SNAPSHOT = ("snapshot.storage.k8s.io", "v1", "volumesnapshots", "VolumeSnapshot")


def definition(group: str, version: str, plural: str, kind: str) -> Plain:
    """A kind of others, as far as it is read here."""
    schema = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    served = {"name": version, "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {
            "name": f"{plural}.{group}",
            "annotations": {"api-approved.kubernetes.io": "unapproved, for a test"},
        },
        "spec": {
            "group": group,
            "scope": "Namespaced",
            "names": {"plural": plural, "singular": kind.lower(), "kind": kind, "listKind": f"{kind}List"},
            "versions": [served],
        },
    }


@pytest.fixture
async def foreign(client: Client) -> AsyncIterator[None]:
    """CDI's kinds are served, for as long as the test."""
    for group, version, plural, kind in FOREIGN:
        await client.create(raw(kinds.CRD), definition(group, version, plural, kind))
        with anyio.fail_after(10):
            while (await client.request("GET", f"/apis/{group}/{version}/{plural}")).status != 200:
                await anyio.sleep(0.02)
    yield
    for group, _, plural, _ in FOREIGN:
        await client.delete(kinds.CRD, f"{plural}.{group}")
        with anyio.fail_after(10):
            while await client.get(kinds.CRD, f"{plural}.{group}") is not None:
                await anyio.sleep(0.02)


async def put(client: Client, namespace: str, kind: str, name: str, spec: Plain | None = None) -> None:
    """One of the foreign kinds' objects, or a claim. spec: of one without labels; None for one with them."""
    metadata: Plain = {"name": name, "labels": LABELS if spec is None else {}}
    if kind == "VolumeSnapshot":
        spec = {"source": {"persistentVolumeClaimName": "labelled"}}
    if kind == "PersistentVolumeClaim":
        path, api_version = f"/api/v1/namespaces/{namespace}/persistentvolumeclaims", "v1"
        spec = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
    else:
        group, version, plural, _ = next(row for row in (*FOREIGN, SNAPSHOT) if row[3] == kind)
        path, api_version = f"/apis/{group}/{version}/namespaces/{namespace}/{plural}", f"{group}/{version}"
    body = {"apiVersion": api_version, "kind": kind, "metadata": metadata, "spec": spec or {}}
    reply = await client.request("POST", path, body=body)
    assert reply.status == 201, reply.body


def machine(volume: Plain, policy: str | None = None, *templates: Plain) -> VirtualMachine:
    """A machine that infers both from its volume ``root``."""
    wish: Plain = {"inferFromVolume": "root"} | ({"inferFromVolumeFailurePolicy": policy} if policy else {})
    spec: Plain = {"domain": {"devices": {}}, "volumes": [{"name": "root"} | volume]}
    body = {"instancetype": wish, "preference": wish, "template": {"spec": spec}}
    return decode({"spec": body | {"dataVolumeTemplates": list(templates)}}, VirtualMachine)


async def inferred(client: Client, namespace: str, vm: VirtualMachine) -> Any:
    return await Inference(client).infer(vm, namespace)


def by_data_volume(name: str) -> Plain:
    return {"dataVolume": {"name": name}}


FOUND = {
    "instancetype": Inferred({"name": "u1.small"}),
    "preference": Inferred({"name": "debian.12", "kind": "VirtualMachinePreference"}),
}


@pytest.mark.usefixtures("foreign")
async def test_every_way_from_a_volume_to_a_label_is_followed(client: Client, namespace: str) -> None:
    await put(client, namespace, "PersistentVolumeClaim", "labelled")
    await put(client, namespace, "VolumeSnapshot", "saved")
    await put(client, namespace, "DataVolume", "own")
    claim = {"name": "labelled", "namespace": namespace}
    await put(client, namespace, "DataVolume", "copy", {"source": {"pvc": claim}})
    await put(
        client, namespace, "DataVolume", "restored", {"source": {"snapshot": claim | {"name": "saved"}}}
    )
    await put(client, namespace, "DataSource", "named")
    await put(client, namespace, "DataSource", "pointing", {"source": {"pvc": claim}})
    await put(
        client, namespace, "DataVolume", "ordered", {"sourceRef": {"kind": "DataSource", "name": "pointing"}}
    )
    ways = [
        {"persistentVolumeClaim": {"claimName": "labelled"}},
        *(by_data_volume(name) for name in ("own", "copy", "restored", "ordered", "labelled")),
    ]
    for volume in ways:
        assert await inferred(client, namespace, machine(volume)) == FOUND, volume
    for reference in ("named", "pointing"):
        template = {
            "metadata": {"name": "new"},
            "spec": {"sourceRef": {"kind": "DataSource", "name": reference}, "storage": {}},
        }
        vm = machine(by_data_volume("new"), None, template)
        assert await inferred(client, namespace, vm) == FOUND, reference


@pytest.mark.usefixtures("foreign")
async def test_a_failure_policy_ignores_silence_and_nothing_else(client: Client, namespace: str) -> None:
    await put(client, namespace, "PersistentVolumeClaim", "silent", {})
    volume = {"persistentVolumeClaim": {"claimName": "silent"}}
    assert await inferred(client, namespace, machine(volume, "Ignore")) == {
        "instancetype": Inferred(),
        "preference": Inferred(),
    }
    told = await inferred(client, namespace, machine(volume, "Reject"))
    assert "no label instancetype.kubevirt.io/default-instancetype" in told["instancetype"].cause.message
    lost = {"persistentVolumeClaim": {"claimName": "lost"}}
    told = await inferred(client, namespace, machine(lost, "Ignore"))
    assert told["preference"].cause.field == "spec.preference.inferFromVolume"
    assert "there is no PersistentVolumeClaim lost" in told["preference"].cause.message


async def test_a_volume_that_is_not_there_is_told(client: Client, namespace: str) -> None:
    vm = machine({"emptyDisk": {"capacity": "1Gi"}}, "Ignore")
    assert await inferred(client, namespace, vm) == {"instancetype": Inferred(), "preference": Inferred()}
    spec = decode(
        {"template": {"spec": {"domain": {"devices": {}}}}, "instancetype": {"inferFromVolume": "x"}},
        type(vm.spec),
    )
    told = await inferred(client, namespace, VirtualMachine(spec=spec))
    assert "'x'" in told["instancetype"].cause.message
