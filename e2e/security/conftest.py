"""Two projects, a guest in each, and people with rights in one of them."""

import json
from collections.abc import Iterator

import pytest
from e2e.api import Api
from e2e.machines import kernel_boot_vmi
from e2e.product import Product
from e2e.security.stage import MINE, PASSWORD, THEIRS, Stage
from e2e.web import Browser


@pytest.fixture(scope="session")
def stage(product: Product) -> Iterator[Stage]:
    api = Api(product)
    for namespace in (MINE, THEIRS):
        product.kubectl("create", "namespace", namespace)
    seeded = json.loads(kernel_boot_vmi("guest"))
    seeded["spec"]["domain"]["devices"] = {"disks": [{"name": "seed", "disk": {"bus": "virtio"}}]}
    seed = {"userData": f"#cloud-config\npassword: {PASSWORD}\n"}
    seeded["spec"]["volumes"] = [{"name": "seed", "cloudInitNoCloud": seed}]
    product.apply(json.dumps(seeded), MINE)
    product.apply(kernel_boot_vmi("guest"), THEIRS)
    found = Stage(product, api, {role: _account(api, role) for role in ("view", "edit")})
    for namespace in (MINE, THEIRS):
        product.wait_for_phase("guest", "Running", namespace)
    yield found
    for namespace in (MINE, THEIRS):
        product.kubectl("-n", namespace, "delete", "vm,vmi", "--all", "--timeout=60s")
        product.kubectl("delete", "namespace", namespace, "--timeout=60s")


def _account(api: Api, role: str) -> str:
    """The token of an account that holds KubeVirt's role in the first project."""
    home = f"/api/v1/namespaces/{MINE}/serviceaccounts"
    api.call("POST", home, {"metadata": {"name": role}})
    for name in (f"kubevirt.io:{role}", role):
        binding = {
            "metadata": {"name": f"{role}-{name.replace(':', '-')}"},
            "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": name},
            "subjects": [{"kind": "ServiceAccount", "name": role, "namespace": MINE}],
        }
        path = f"/apis/rbac.authorization.k8s.io/v1/namespaces/{MINE}/rolebindings"
        assert api.call("POST", path, binding)[0] == 201
    code, answer = api.call("POST", f"{home}/{role}/token", {"spec": {"expirationSeconds": 3600}})
    assert code == 201
    token: str = answer["status"]["token"]
    return token


@pytest.fixture(scope="session")
def admin(stage: Stage) -> Browser:
    browser = Browser(stage.product)
    assert browser.log_in().code == 303
    return browser


@pytest.fixture(scope="session")
def viewer(stage: Stage) -> Browser:
    browser = Browser(stage.product)
    assert browser.log_in(token=stage.tokens["view"], next="/vms").code == 303
    return browser
