"""A small API server that knows machines: what the console's pages are tried against, on a real socket."""

import asyncio
import json
from datetime import UTC, datetime, timedelta
from typing import Any

from aiohttp import web
from tests.contract.kube.server import SmallServer, inside, status

KUBEVIRT = "/apis/kubevirt.io/v1"
LISTED = ("virtualmachines", "virtualmachineinstances", "nodes", "events", "namespaces")


def stamp(seconds_ago: float = 0) -> str:
    return (datetime.now(UTC) - timedelta(seconds=seconds_ago)).strftime("%Y-%m-%dT%H:%M:%SZ")


def vm(name: str, namespace: str = "default", status_word: str = "Stopped", **more: Any) -> dict[str, Any]:
    return {
        "apiVersion": "kubevirt.io/v1",
        "kind": "VirtualMachine",
        "metadata": {
            "name": name,
            "namespace": namespace,
            "uid": f"uid-{namespace}-{name}",
            "creationTimestamp": stamp(more.get("age", 7200)),
            "labels": more.get("labels", {"app": name.split("-", maxsplit=1)[0]}),
        },
        "spec": {
            "runStrategy": "RerunOnFailure" if status_word != "Stopped" else "Halted",
            "template": {
                "metadata": {"labels": {}},
                "spec": guest(more.get("image", "virtdeck/demo:latest")),
            },
        },
        "status": {
            "printableStatus": status_word,
            "conditions": more.get("conditions", []),
        },
    }


def guest(image: str) -> dict[str, Any]:
    return {
        "domain": {
            "cpu": {"cores": 2},
            "memory": {"guest": "1Gi"},
            "devices": {
                "disks": [
                    {"name": "rootdisk", "disk": {"bus": "virtio"}, "bootOrder": 1},
                    {"name": "cloudinit", "disk": {"bus": "virtio"}},
                    {"name": "scratch", "disk": {"bus": "virtio"}},
                ],
                "interfaces": [{"name": "default", "masquerade": {}}],
            },
        },
        "networks": [{"name": "default", "pod": {}}],
        "volumes": [
            {"name": "rootdisk", "containerDisk": {"image": image}},
            {"name": "cloudinit", "cloudInitNoCloud": {"userData": "#cloud-config\nuser: ops\n"}},
            {"name": "scratch", "emptyDisk": {"capacity": "4Gi"}},
        ],
    }


def condition(kind: str, answer: str = "True", message: str = "", reason: str = "") -> dict[str, Any]:
    return {
        "type": kind,
        "status": answer,
        "message": message,
        "reason": reason,
        "lastTransitionTime": stamp(300),
    }


def vmi(
    owner: dict[str, Any], phase: str = "Running", *, paused: bool = False, number: int = 5
) -> dict[str, Any]:
    meta = owner["metadata"]
    conditions = [
        condition("Ready"),
        condition("AgentConnected"),
        condition("LiveMigratable", "False", "one node"),
    ]
    if paused:
        conditions.append(condition("Paused", message="the machine was paused by a user"))
    return {
        "apiVersion": "kubevirt.io/v1",
        "kind": "VirtualMachineInstance",
        "metadata": {
            "name": meta["name"],
            "namespace": meta["namespace"],
            "uid": f"instance-{meta['name']}-{datetime.now(UTC).timestamp()}",
            "creationTimestamp": stamp(900),
        },
        "spec": owner["spec"]["template"]["spec"],
        "status": {
            "phase": phase,
            "nodeName": "host-1",
            "conditions": conditions,
            "guestOSInfo": {"prettyName": "Debian GNU/Linux 12", "kernelRelease": "6.1.0-28-cloud-amd64"},
            "interfaces": [
                {
                    "name": "default",
                    "ipAddress": f"10.42.0.{number}",
                    "ipAddresses": [f"10.42.0.{number}", f"fd00:42::{number:x}"],
                    "mac": f"52:54:00:12:34:{number % 256:02x}",
                }
            ],
            "phaseTransitionTimestamps": [{"phase": "Running", "phaseTransitionTimestamp": stamp(840)}],
        },
    }


def event(
    about: dict[str, Any], reason: str, message: str, kind: str = "Normal", ago: float = 60
) -> dict[str, Any]:
    meta = about["metadata"]
    return {
        "apiVersion": "v1",
        "kind": "Event",
        "metadata": {"name": f"{meta['name']}.{reason.lower()}", "namespace": meta["namespace"]},
        "involvedObject": {"kind": about["kind"], "name": meta["name"], "namespace": meta["namespace"]},
        "reason": reason,
        "message": message,
        "type": kind,
        "count": 1,
        "lastTimestamp": stamp(ago),
        "source": {"component": "virt-handler"},
    }


def node(name: str = "host-1", *, kvm: bool = False) -> dict[str, Any]:
    conditions = [{"type": "Ready", "status": "True", "reason": "Ready", "message": "the node runs pods"}]
    if not kvm:
        message = (
            "/dev/kvm opens, but starting a machine on it failed (an MSR is refused); guests are emulated"
        )
        conditions.append(
            {"type": "KvmUsable", "status": "False", "reason": "ProbeFailed", "message": message}
        )
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {
            "name": name,
            "creationTimestamp": stamp(90000),
            "labels": {"kubevirt.io/schedulable": "true"},
        },
        "status": {
            "capacity": {"cpu": "8", "memory": "32Gi"},
            "allocatable": {"cpu": "8", "memory": "31Gi"},
            "conditions": conditions,
            "addresses": [{"type": "InternalIP", "address": "192.0.2.10"}],
            "nodeInfo": {
                "osImage": "Debian GNU/Linux 12 (bookworm)",
                "kernelVersion": "6.1.0-28-amd64",
                "architecture": "amd64",
            },
        },
    }


class SmallCluster(SmallServer):
    """Serves machines, starts and stops them after ``delay`` seconds as a controller and a node would."""

    delay: float = 0.15

    def read(self, request: web.Request) -> web.Response:
        last = request.path.rsplit("/", 1)[1]
        if request.path in self.objects or last not in LISTED:
            return super().read(request)
        items = [obj for path, obj in sorted(self.objects.items()) if inside(path, request.path)]
        return web.json_response({"metadata": {"resourceVersion": str(self.version)}, "items": items})

    async def add(self, *objects: dict[str, Any]) -> None:
        for obj in objects:
            await self.put("MODIFIED" if self.path(obj) in self.objects else "ADDED", self.path(obj), obj)

    @staticmethod
    def path(obj: dict[str, Any]) -> str:
        """Where the object is kept; events lie apart, for namespaces are found by a part of the path."""
        home = KUBEVIRT if obj["apiVersion"].startswith("kubevirt") else "/api/v1"
        plural, meta = obj["kind"].lower() + "s", obj["metadata"]
        if "namespace" not in meta:
            return f"{home}/{plural}/{meta['name']}"
        within = "of" if plural == "events" else "namespaces"
        return f"{home}/{within}/{meta['namespace']}/{plural}/{meta['name']}"

    async def handle(self, request: web.Request) -> web.StreamResponse:
        if request.path.startswith("/apis/subresources.kubevirt.io/"):
            return await self.subresource(request)
        if request.method == "PUT":
            return await self.replace(request)
        if request.method == "POST" and request.query.get("dryRun"):
            return self.judge(request.path, json.loads(await request.text()))
        return await super().handle(request)

    def judge(self, collection: str, obj: dict[str, Any]) -> web.Response:
        """What admission would say: one rule is enough to see an answer placed at its field."""
        spec = (obj["spec"].get("template") or obj)["spec"]
        amount = spec["domain"].get("memory", {}).get("guest")
        if amount == "999Gi":
            causes = [
                {
                    "field": "spec.template.spec.domain.memory.guest",
                    "message": "the largest node has 32Gi",
                    "reason": "FieldValueInvalid",
                }
            ]
            return status(422, "Invalid", "the machine is larger than every node", causes=causes)
        if f"{collection}/{obj['metadata']['name']}" in self.objects:
            return status(409, "AlreadyExists", f"{obj['metadata']['name']} already exists")
        return web.json_response(obj, status=201)

    async def create(self, collection: str, obj: dict[str, Any]) -> web.Response:
        answer = await super().create(collection, obj)
        if answer.status == 201 and obj["kind"] == "VirtualMachine":
            obj["metadata"].setdefault("creationTimestamp", stamp())
            running = obj["spec"].get("runStrategy") != "Halted"
            await self.add(obj | {"status": {"printableStatus": "Starting" if running else "Stopped"}})
            if running:
                self.later(self.run(obj["metadata"]["namespace"], obj["metadata"]["name"]))
        return answer

    async def replace(self, request: web.Request) -> web.Response:
        body = json.loads(await request.text())
        old = self.objects.get(request.path)
        if old is None:
            return status(404, "NotFound", "not found")
        if body["metadata"].get("resourceVersion") not in (None, old["metadata"]["resourceVersion"]):
            return status(
                409,
                "Conflict",
                "the object has been modified; please apply your changes to the latest version",
            )
        merged = old | {"spec": body["spec"]} | {"metadata": old["metadata"] | body["metadata"]}
        if request.query.get("dryRun"):
            return web.json_response(merged)
        return web.json_response(await self.put("MODIFIED", request.path, merged))

    def later(self, what: Any) -> None:
        self.pending = [*getattr(self, "pending", []), asyncio.ensure_future(what)]

    async def subresource(self, request: web.Request) -> web.Response:
        _, _, _, _, _, namespace, _, name, *rest = request.path.split("/")
        act = "/".join(rest)
        if act in ("userlist",):
            return web.json_response({"items": [{"userName": "ops"}]})
        if act == "sessions":
            item = {
                "id": "1",
                "kind": "vnc",
                "user": "bob",
                "origin": "browser",
                "since": stamp(600),
                "mode": "take",
            }
            return web.json_response({"items": [item]})
        if act == "sendkeys":
            self.typed = [*getattr(self, "typed", []), *json.loads(await request.text())["chords"]]
            return web.Response(status=200)
        machine = self.objects.get(f"{KUBEVIRT}/namespaces/{namespace}/virtualmachines/{name}")
        instance = self.objects.get(f"{KUBEVIRT}/namespaces/{namespace}/virtualmachineinstances/{name}")
        if machine is None and instance is None:
            return status(404, "NotFound", f"{name} not found")
        if act == "start" and instance is not None:
            return status(409, "Conflict", "VM is already running")
        await self.power(act, namespace, name)
        return web.Response(status=202)

    async def power(self, act: str, namespace: str, name: str) -> None:
        match act:
            case "start":
                await self.word(namespace, name, "Starting")
                self.later(self.run(namespace, name))
            case "stop":
                await self.word(namespace, name, "Stopping")
                self.later(self.end(namespace, name))
            case "restart":
                await self.word(namespace, name, "Stopping")
                self.later(self.again(namespace, name))
            case "pause" | "unpause":
                owner = self.objects[f"{KUBEVIRT}/namespaces/{namespace}/virtualmachines/{name}"]
                await self.add(vmi(owner, paused=act == "pause"))
                await self.word(namespace, name, "Paused" if act == "pause" else "Running")

    async def word(self, namespace: str, name: str, word: str) -> None:
        path = f"{KUBEVIRT}/namespaces/{namespace}/virtualmachines/{name}"
        obj = self.objects[path]
        await self.put("MODIFIED", path, obj | {"status": obj.get("status", {}) | {"printableStatus": word}})

    async def run(self, namespace: str, name: str) -> None:
        await asyncio.sleep(self.delay)
        owner = self.objects.get(f"{KUBEVIRT}/namespaces/{namespace}/virtualmachines/{name}")
        if owner is not None:
            await self.add(vmi(owner))
            await self.word(namespace, name, "Running")

    async def end(self, namespace: str, name: str) -> None:
        await asyncio.sleep(self.delay)
        await self.delete(f"{KUBEVIRT}/namespaces/{namespace}/virtualmachineinstances/{name}", {})
        await self.word(namespace, name, "Stopped")

    async def again(self, namespace: str, name: str) -> None:
        await self.end(namespace, name)
        await self.run(namespace, name)


async def fill(cluster: SmallCluster) -> None:
    """A household of machines in every state."""
    for name in ("default", "shop", "lab"):
        await cluster.add({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
    await cluster.add(node())
    number = 5
    for name, namespace in (("web-1", "shop"), ("web-2", "shop"), ("db-1", "shop"), ("build", "lab")):
        machine = vm(name, namespace, "Running", age=90000 + number * 1000)
        number += 1
        await cluster.add(machine, vmi(machine, number=number))
        await cluster.add(event(machine, "Started", "the guest was started on host-1", ago=840))
    paused = vm("cache-1", "shop", "Paused")
    await cluster.add(paused, vmi(paused, paused=True, number=20))
    await cluster.add(
        vm("archive", "default", age=864000),
        vm("windows-test", "lab"),
        vm("runner-7", "lab", "Starting", age=12),
    )
    broken = vm(
        "report",
        "default",
        "ErrImagePull",
        image="registry.example/report:4",
        conditions=[
            condition(
                "Failure",
                message="the image registry.example/report:4 was not found; pull it or correct its name",
            )
        ],
    )
    await cluster.add(broken)
    await cluster.add(
        event(broken, "FailedPull", "registry.example/report:4: manifest unknown", "Warning", 30)
    )
    large = vm(
        "simulation",
        "lab",
        "ErrorUnschedulable",
        conditions=[condition("Failure", message="no node has 512Gi of memory; the largest has 32Gi")],
    )
    await cluster.add(large)
