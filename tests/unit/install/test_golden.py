"""The installation's objects are those that were reviewed: tests/golden/install.

VIRTDECK_REWRITE_GOLDEN=1 writes them anew; read the difference before you commit it.
"""

import os
from pathlib import Path
from typing import Any

import pytest
import yaml

from virtdeck import install

GOLDEN = Path(__file__).parents[2] / "golden" / "install"
STANDALONE = install.Gateway("CA", url="https://127.0.0.1:8443")
CLUSTER = install.Gateway("CA")

FILES: dict[str, list[dict[str, Any]]] = {
    "component-roles": [*install.component_cluster_roles(("node-a",)), *install.component_roles()],
    "user-roles": install.user_cluster_roles(),
    "bindings": install.role_bindings(),
    "node-roles": install.node_roles(),
    "policies": install.policies(),
    "webhooks-standalone": install.webhook_configurations(STANDALONE),
    "webhooks-cluster": install.webhook_configurations(CLUSTER),
    "gateway-standalone": [install.gateway_service(STANDALONE), *install.api_services(STANDALONE)],
    "gateway-cluster": [install.gateway_service(CLUSTER), *install.api_services(CLUSTER)],
    "objects": [
        *install.namespaces(),
        *install.service_accounts(),
        *install.priority_classes(),
        install.kubevirt_object(use_emulation=True),
    ],
}


@pytest.mark.parametrize("name", FILES)
def test_the_objects_are_the_reviewed_ones(name: str) -> None:
    made = yaml.safe_dump_all(FILES[name], sort_keys=False, width=110)
    path = GOLDEN / f"{name}.yaml"
    if os.environ.get("VIRTDECK_REWRITE_GOLDEN"):
        path.write_text(made, encoding="utf-8")
    assert list(yaml.safe_load_all(path.read_text(encoding="utf-8"))) == FILES[name]
