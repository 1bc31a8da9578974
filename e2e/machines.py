"""Manifests of the small guests that tests boot."""

import json
from typing import Any


def kernel_boot_vmi(name: str, **spec: Any) -> str:
    """A guest of kernel and initrd: the quickest there is."""
    return json.dumps(
        {
            "apiVersion": "kubevirt.io/v1",
            "kind": "VirtualMachineInstance",
            "metadata": {"name": name},
            "spec": _kernel_boot_spec() | spec,
        }
    )


def kernel_boot_vm(name: str, run_strategy: str, **spec: Any) -> str:
    """A virtual machine around such a guest."""
    return json.dumps(
        {
            "apiVersion": "kubevirt.io/v1",
            "kind": "VirtualMachine",
            "metadata": {"name": name},
            "spec": {
                "runStrategy": run_strategy,
                "template": {"metadata": {"labels": {"vm": name}}, "spec": _kernel_boot_spec() | spec},
            },
        }
    )


def disk_vm(name: str, user_data: str, run_strategy: str = "Always", **spec: Any) -> str:
    """A virtual machine with the demo disk and a cloud-init seed, on a masqueraded pod network."""
    return json.dumps(
        {
            "apiVersion": "kubevirt.io/v1",
            "kind": "VirtualMachine",
            "metadata": {"name": name},
            "spec": {
                "runStrategy": run_strategy,
                "template": {
                    "metadata": {"labels": {"vm": name}},
                    "spec": {
                        "terminationGracePeriodSeconds": 10,
                        "domain": {
                            "memory": {"guest": "256Mi"},
                            "devices": {
                                "disks": [
                                    {"name": "root", "disk": {"bus": "virtio"}},
                                    {"name": "seed", "disk": {"bus": "virtio"}},
                                ],
                                "interfaces": [{"name": "default", "masquerade": {}}],
                            },
                        },
                        "networks": [{"name": "default", "pod": {}}],
                        "volumes": [
                            {"name": "root", "containerDisk": {"image": "virtdeck/demo:latest"}},
                            {"name": "seed", "cloudInitNoCloud": {"userData": user_data}},
                        ],
                    }
                    | spec,
                },
            },
        }
    )


def container_disk(image: str, **more: Any) -> dict[str, Any]:
    """The spec of a guest that boots from an image's disk."""
    return {
        "domain": {
            "memory": {"guest": "64Mi"},
            "devices": {"disks": [{"name": "root", "disk": {"bus": "virtio"}}]},
        },
        "volumes": [{"name": "root", "containerDisk": {"image": image, **more}}],
    }


def seed_from_secret(secret: str) -> dict[str, Any]:
    """The spec of a kernel-boot guest whose cloud-init seed is in a secret."""
    domain = _kernel_boot_spec()["domain"]
    domain["devices"] = {"disks": [{"name": "seed", "disk": {"bus": "virtio"}}]}
    source = {"cloudInitNoCloud": {"secretRef": {"name": secret}}}
    return {"domain": domain, "volumes": [{"name": "seed", **source}]}


def guest_with(
    name: str, volumes: list[dict[str, Any]], labels: dict[str, str] | None = None, **spec: Any
) -> str:
    """A kernel-boot guest with each of the volumes as a disk."""
    domain = _kernel_boot_spec()["domain"]
    domain["devices"] = {"disks": [{"name": volume["name"], "disk": {"bus": "virtio"}} for volume in volumes]}
    manifest = json.loads(kernel_boot_vmi(name, domain=domain, volumes=volumes, **spec))
    manifest["metadata"]["labels"] = labels or {}
    return json.dumps(manifest)


def _kernel_boot_spec() -> dict[str, Any]:
    return {
        "terminationGracePeriodSeconds": 0,
        "domain": {
            "memory": {"guest": "128Mi"},
            "devices": {},
            "firmware": {
                "kernelBoot": {
                    "kernelArgs": "console=ttyS0",
                    "container": {
                        "image": "virtdeck/demo-kernel:latest",
                        "kernelPath": "/boot/vmlinuz",
                        "initrdPath": "/boot/initrd",
                    },
                }
            },
        },
    }
