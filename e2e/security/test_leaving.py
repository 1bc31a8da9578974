"""Pods that people make themselves are the instance's too, and go with it."""

import json

import pytest
from e2e.product import Product, free_address, host_traces, until

pytestmark = [pytest.mark.root, pytest.mark.kubectl]


def test_a_pod_of_nobodys_machine_leaves_nothing_after_down(tmp_path_factory: pytest.TempPathFactory) -> None:
    product = Product(tmp_path_factory.mktemp("leaving") / "state", free_address())
    product.up("--no-demo")
    container = {
        "name": "c",
        "image": "virtdeck/launcher:x",
        "securityContext": {"runAsUser": 64001, "runAsGroup": 64001},
        "volumeMounts": [{"name": "v", "mountPath": "/proc"}],
    }
    spec = {"restartPolicy": "Never", "containers": [container], "volumes": [{"name": "v", "emptyDir": {}}]}
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "stray"}, "spec": spec}
    product.apply(json.dumps(pod))
    until(lambda: host_traces(product.state)["pods"], bool, 20)
    product.command("down", "--vms")
    traces = until(lambda: host_traces(product.state), lambda left: not any(left.values()), 20)
    assert not any(traces.values())
