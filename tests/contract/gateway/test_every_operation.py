"""Every operation of the façade's OpenAPI document, asked for with data made from its schema.

No answer is a 5xx, and each is what the document says: code, media type, schema. ``VIRTDECK_FACADE_EXAMPLES``
says how many requests each operation gets.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
import pytest
import schemathesis
import yaml
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import Failure, FailureGroup
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from tests.contract.gateway.instance import running
from tests.contract.gateway.machines import make_token
from tests.contract.gateway.person import http_session
from tests.unit.crds.whole import whole

from virtdeck.crds.kinds import CUSTOM, KUBEVIRT, Kind
from virtdeck.crds.manifests import openapi_schema
from virtdeck.crds.subresources import GROUP
from virtdeck.kube.client import Client, open_client
from virtdeck.kube.kubeconfig import load_kubeconfig
from virtdeck.kube.objects import raw

EXAMPLES = int(os.environ.get("VIRTDECK_FACADE_EXAMPLES", "3"))
SAMPLES = Path(__file__).parents[2] / "data" / "kinds"
NAMESPACE = "every"
NAMES = ("a", "b-1.c")
CHECKS: list[Any] = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]


@dataclass(frozen=True)
class Facade:
    """A façade of its own, since everything in it is deleted and spoiled."""

    url: str
    token: str
    document: dict[str, Any]


@pytest.fixture(scope="module")
def facade(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Facade]:
    with running(tmp_path_factory.mktemp("facade") / "state") as found:
        token, document = anyio.run(_entered, found.public, found.state.admin_kubeconfig)
        yield Facade(found.public, token, document)


async def _entered(url: str, kubeconfig: Path) -> tuple[str, dict[str, Any]]:
    async with open_client(load_kubeconfig(kubeconfig), "test") as client:
        made = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}}
        assert (await client.request("POST", "/api/v1/namespaces", body=made)).status == 201
        token = await make_token(client, NAMESPACE, "everything")
        await _make_administrator(client, "everything")
        await _fill(client)
    async with (
        http_session() as http,
        http.get(f"{url}/openapi.json", headers={"Authorization": f"Bearer {token}"}) as response,
    ):
        return token, await response.json()


async def _fill(client: Client) -> None:
    """Two objects of every kind, with every field of the status set: answers have something to say."""
    gates = {"featureGates": ["Plugins", "IncrementalBackup", "UtilityVolumes"]}
    configuration = {"spec": {"configuration": {"developerConfiguration": gates}}}
    await client.merge_patch(raw(KUBEVIRT), "kubevirt", "kubevirt", configuration)
    for kind in CUSTOM:
        if kind is KUBEVIRT:
            continue
        text = (SAMPLES / f"{kind.singular}.yaml").read_text()
        for name in NAMES:
            await _made(client, kind, yaml.safe_load(text.replace("sample", name)))
            status = openapi_schema(kind)["properties"].get("status")
            if status is not None and "status" in kind.subresources:
                place = NAMESPACE if kind.namespaced else None
                full = whole(status)
                full.pop("volumeRequests", None)  # a wish, which admission judges
                await client.merge_patch(raw(kind), name, place, {"status": full}, "status")


async def _made(client: Client, kind: Kind[Any], doc: dict[str, Any]) -> None:
    """The object is there; a feature gate is heard of a moment after it was written."""
    place = f"namespaces/{NAMESPACE}/" if kind.namespaced else ""
    with anyio.fail_after(20):
        while True:
            path = f"/apis/{kind.api_version}/{place}{kind.plural}"
            code, answer = await client.request("POST", path, body=doc)
            if code == 201:
                return
            assert b"feature gate" in answer, answer
            await anyio.sleep(0.05)


async def _make_administrator(client: Client, account: str) -> None:
    group = "rbac.authorization.k8s.io"
    body = {
        "apiVersion": f"{group}/v1",
        "kind": "ClusterRoleBinding",
        "metadata": {"name": account},
        "roleRef": {"apiGroup": group, "kind": "ClusterRole", "name": "cluster-admin"},
        "subjects": [{"kind": "ServiceAccount", "name": account, "namespace": NAMESPACE}],
    }
    assert (await client.request("POST", f"/apis/{group}/v1/clusterrolebindings", body=body)).status == 201


@pytest.mark.timeout(600)
def test_every_operation_answers_as_it_is_described(facade: Facade) -> None:
    schema = schemathesis.openapi.from_dict(facade.document)
    operations = sorted((_whole(found) for found in schema.get_all_operations()), key=_turn)
    faults: dict[str, str] = {}
    codes: Counter[int] = Counter()
    for operation in operations:
        _tried(operation, _asking(facade, faults, codes))
    assert len(operations) > 500
    assert faults == {}
    assert {200, 201, 400, 404, 409, 422} <= codes.keys(), "requests do not reach what they are about"


def _whole(found: Any) -> Any:
    """The operation; one that the document describes wrongly fails here."""
    return found.ok()


def _turn(operation: Any) -> int:
    """What deletes comes last, for all else has nothing to act on then."""
    return ["get", "patch", "put", "post", "delete"].index(operation.method)


def _tried(operation: Any, ask: Callable[[Any], None]) -> None:
    """Hypothesis makes the requests; a fault is collected, so that one run tells all."""
    options = settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        derandomize=True,
        phases=(Phase.explicit, Phase.generate),
        suppress_health_check=list(HealthCheck),
    )
    options(given(case=operation.as_strategy())(ask))()


def _asking(facade: Facade, faults: dict[str, str], codes: Counter[int]) -> Callable[[Any], None]:
    headers = {"Authorization": f"Bearer {facade.token}"}

    def ask(case: Any) -> None:
        _aim(case)
        response = case.call(base_url=facade.url, headers=headers)
        codes[response.status_code] += 1
        try:
            case.validate_response(response, checks=CHECKS)
        except (Failure, FailureGroup) as fault:
            parts = fault.exceptions if isinstance(fault, FailureGroup) else (fault,)
            for part in parts:
                fault_name = f"{case.operation.label} {response.status_code} {type(part).__name__}"
                faults[fault_name] = f"{part}\n{response.text[:500]}"

    return ask


def _aim(case: Any) -> None:
    """Random names hit nothing: one namespace and two objects, so that requests meet what others made.

    A watch would only be waited for; the façade's own tests have one. Random tokens are only refused.
    """
    for parameter in ("watch", "continue", "resourceVersion"):
        (case.query or {}).pop(parameter, None)
    name = NAMES[len(str(case.query)) % len(NAMES)]
    if case.path_parameters:
        aimed = {"namespace": NAMESPACE, "name": name}
        case.path_parameters |= {key: aimed[key] for key in aimed if key in case.path_parameters}
    if isinstance(case.body, dict) and "metadata" in case.body:
        case.body["metadata"] = {"name": name}
        if case.path.split("/")[2] != GROUP:
            case.body["apiVersion"] = "/".join(case.path.split("/")[2:4])
