"""Machines as values, for tests of what is decided about them."""

from itertools import count
from typing import Any

from tests.unit.gateway.small_cluster import vm, vmi

from virtdeck.crds.codec import decode
from virtdeck.crds.kubevirt.vm import VirtualMachine
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.gateway.console.views.machine import Machine, machine_of

VERSIONS = count(1000)


def versioned(obj: dict[str, Any]) -> dict[str, Any]:
    """The object as a later write than all before it."""
    return obj | {"metadata": obj["metadata"] | {"resourceVersion": str(next(VERSIONS))}}


def a_vm(name: str = "web-1", word: str = "Running", **more: Any) -> VirtualMachine:
    return decode(versioned(vm(name, more.pop("namespace", "shop"), word, **more)), VirtualMachine)


def a_vmi(name: str = "web-1", **more: Any) -> VirtualMachineInstance:
    obj = vmi(vm(name, more.pop("namespace", "shop"), "Running"), **more)
    return decode(versioned(obj), VirtualMachineInstance)


def a_machine(name: str = "web-1", word: str = "Running", **more: Any) -> Machine:
    """A machine in that state, with an instance if the state has one."""
    namespace = more.pop("namespace", "shop")
    owner = a_vm(name, word, namespace=namespace, **more)
    instance = (
        a_vmi(name, namespace=namespace, paused=word == "Paused")
        if word in ("Running", "Paused", "Stopping")
        else None
    )
    found = machine_of(owner, instance)
    assert found is not None
    return found


def bare_instance(name: str = "lone", **more: Any) -> Machine:
    found = machine_of(None, a_vmi(name, **more))
    assert found is not None
    return found
