"""Every kind through kubectl: explained, applied, listed, scaled, waited for, in older versions too."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from e2e.api import Api
from e2e.kubectls import PROGRAMS, Kubectl
from e2e.product import Product, free_address, until

from virtdeck.crds.kinds import CUSTOM, KUBEVIRT, Kind
from virtdeck.crds.manifests import openapi_schema

pytestmark = [pytest.mark.root, pytest.mark.kubectl, pytest.mark.timeout(240)]

SAMPLES = Path(__file__).parents[1] / "tests" / "data" / "kinds"
KINDS = [kind for kind in CUSTOM if kind is not KUBEVIRT]  # the product brings its own
GATES = ["Plugins", "IncrementalBackup", "UtilityVolumes"]
SCALED = [kind for kind in CUSTOM if "scale" in kind.subresources]
OLDER = [(kind, version) for kind in CUSTOM for version in kind.older]


@pytest.fixture(scope="module")
def product(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    """An instance of its own, since every feature gate that a kind needs is on in it."""
    found = Product(tmp_path_factory.mktemp("kinds") / "state", free_address())
    found.up("--no-demo")
    gates = {"spec": {"configuration": {"developerConfiguration": {"featureGates": GATES}}}}
    found.kubectl(
        "-n", "kubevirt", "patch", "kubevirt", "kubevirt", "--type", "merge", "-p", json.dumps(gates)
    )
    yield found
    found.command("down", "--vms")


@pytest.fixture(scope="module", params=PROGRAMS, ids=lambda path: Path(path).name)
def kubectl(
    request: pytest.FixtureRequest, product: Product, tmp_path_factory: pytest.TempPathFactory
) -> Kubectl:
    """The program, with every sample applied."""
    found = Kubectl(request.param, product.kubeconfig, tmp_path_factory.mktemp("home"))
    until(lambda: found.run("apply", "-f", str(SAMPLES)), lambda done: done.returncode == 0, 20)
    return found


def _named(kind: Kind[Any]) -> str:
    return f"{kind.plural}.{kind.group}"


def _deepest(kind: Kind[Any]) -> tuple[str, str]:
    """The path of a field that lies as deep as any, and what it says of itself."""

    def walk(schema: dict[str, Any], path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
        for name, prop in schema.get("properties", {}).items():
            if prop.get("description"):
                yield (*path, name), prop["description"]
            yield from walk(prop.get("items", prop), (*path, name))

    path, description = max(walk(openapi_schema(kind), ()), key=lambda found: (len(found[0]), found))
    return ".".join(path), description


@pytest.mark.parametrize("kind", CUSTOM, ids=lambda kind: kind.kind)
def test_a_deep_field_is_explained(kubectl: Kubectl, kind: Kind[Any]) -> None:
    path, description = _deepest(kind)
    version = f"--api-version={kind.api_version}"
    told = kubectl("explain", f"{kind.plural}.{path}", version)
    assert " ".join(description.split()) in " ".join(told.split()), path


def test_the_samples_are_of_every_kind_and_applying_them_again_changes_nothing(kubectl: Kubectl) -> None:
    told = kubectl("apply", "-f", str(SAMPLES)).splitlines()
    assert sorted(told) == sorted(f"{kind.singular}.{kind.group}/sample unchanged" for kind in KINDS)


def test_another_manager_applies_on_the_servers_side(kubectl: Kubectl) -> None:
    command = ("apply", "--server-side", "--field-manager=other", "--force-conflicts", "-f", str(SAMPLES))
    told = kubectl(*command).splitlines()
    expected = {f"{kind.singular}.{kind.group}/sample serverside-applied" for kind in KINDS}
    assert {line.replace("server-side applied", "serverside-applied") for line in told} == expected
    show = ("--show-managed-fields",) if kubectl.minor >= 21 else ()
    found = json.loads(kubectl("get", "vmpool", "sample", "-o", "json", *show))
    managers = {(entry["manager"], entry["operation"]) for entry in found["metadata"]["managedFields"]}
    assert ("other", "Apply") in managers


def _tables(printed: str) -> list[list[str]]:
    """The headings of each table."""
    return [re.split(r" {2,}", line.strip()) for line in printed.splitlines() if line.startswith("NAME")]


@pytest.mark.parametrize("wide", [False, True], ids=["narrow", "wide"])
def test_each_kind_is_listed_with_its_columns(kubectl: Kubectl, wide: bool) -> None:
    options = ("-o", "wide") if wide else ()
    printed = kubectl("get", ",".join(map(_named, CUSTOM)), "-A", *options)
    headings = [[name for name in heading if name != "NAMESPACE"] for heading in _tables(printed)]
    shown = [
        [column.name.upper() for column in kind.columns if wide or column.priority == 0] for kind in CUSTOM
    ]
    assert headings == [["NAME", *(columns or ["AGE"])] for columns in shown]


def test_short_names_stand_for_their_kinds(kubectl: Kubectl) -> None:
    asked = [(kind, f"{short}/sample") for kind in KINDS for short in kind.short_names]
    told = kubectl("get", "-o", "name", *(name for _, name in asked)).splitlines()
    assert told == [f"{kind.singular}.{kind.group}/sample" for kind, _ in asked]


def test_all_means_what_it_means_for_kubevirt(kubectl: Kubectl) -> None:
    names = kubectl("get", "all", "-o", "name").splitlines()
    ours = {name for name in names if name.endswith("/sample")}
    in_all = [kind for kind in KINDS if "all" in kind.categories]
    assert ours == {f"{kind.singular}.{kind.group}/sample" for kind in in_all}


@pytest.mark.parametrize("kind", SCALED, ids=lambda kind: kind.kind)
def test_a_set_is_scaled(kubectl: Kubectl, kind: Kind[Any]) -> None:
    for replicas in ("3", "1"):
        kubectl("scale", _named(kind), "sample", f"--replicas={replicas}")
        assert kubectl("get", _named(kind), "sample", "-o", "jsonpath={.spec.replicas}") == replicas
    refused = kubectl.run("scale", _named(kind), "sample", "--current-replicas=7", "--replicas=2")
    assert refused.returncode != 0
    assert kubectl("get", _named(kind), "sample", "-o", "jsonpath={.spec.replicas}") == "1"


def _conditioned() -> list[Kind[Any]]:
    """The kinds with conditions that their status tells of."""
    found = {
        kind: openapi_schema(kind)["properties"].get("status", {}).get("properties", {}) for kind in KINDS
    }
    return [kind for kind, status in found.items() if "conditions" in status]


# Controllers write all conditions of the kinds that they act on; of these one is known to come by itself.
TOLD = {
    "VirtualMachine": "Ready=False",
    "VirtualMachineInstance": "Ready=False",
    "VirtualMachineInstanceReplicaSet": "ReplicaPaused=True",
}
CONDITION = {
    "type": "Sampled",
    "status": "True",
    "reason": "Sampled",
    "message": "It was.",
    "lastTransitionTime": "2026-01-31T12:00:00Z",
}


@pytest.mark.parametrize("kind", _conditioned(), ids=lambda kind: kind.kind)
def test_a_condition_is_waited_for(kubectl: Kubectl, product: Product, kind: Kind[Any]) -> None:
    told = TOLD.get(kind.kind)
    if told is None:
        _write_condition(product, kind)
    name, _, status = (told or "Sampled=True").partition("=")
    command = ("wait", f"{_named(kind)}/sample", "--timeout=20s")
    kubectl(*command, f"--for=condition={name}={status}")
    if kubectl.minor >= 23:
        path = f"{{.status.conditions[?(@.type=='{name}')].status}}"
        kubectl(*command, f"--for=jsonpath={path}={status}")


def _write_condition(product: Product, kind: Kind[Any]) -> None:
    """As a controller writes it: by a patch of the status."""
    place = f"namespaces/default/{kind.plural}" if kind.namespaced else kind.plural
    path = f"/apis/{kind.api_version}/{place}/sample"
    if "status" in kind.subresources:
        path += "/status"
    patch = {"status": {"conditions": [CONDITION]}}
    code, answer = Api(product).call("PATCH", path, patch, "application/merge-patch+json")
    assert code == 200, answer


def test_a_field_is_read_by_its_path(kubectl: Kubectl) -> None:
    path = "jsonpath={range .items[*]}{.kind}/{.metadata.name} {end}"
    found = kubectl("get", *(f"{_named(kind)}/sample" for kind in KINDS), "-o", path)
    assert found.split() == [f"{kind.kind}/sample" for kind in KINDS]


@pytest.mark.parametrize(
    ("kind", "version"), OLDER, ids=lambda value: value.kind if isinstance(value, Kind) else value.name
)
def test_an_older_version_shows_the_same_object_and_warns(
    kubectl: Kubectl, kind: Kind[Any], version: Any
) -> None:
    place = () if kind is not KUBEVIRT else ("-n", "kubevirt")
    name = "kubevirt" if kind is KUBEVIRT else "sample"
    done = kubectl.run("get", f"{kind.plural}.{version.name}.{kind.group}", name, *place, "-o", "json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["apiVersion"], found["metadata"]["name"]) == (f"{kind.group}/{version.name}", name)
    deprecated = version.deprecated or bool(kind.deprecation)
    assert ("is deprecated" in done.stderr) == deprecated, done.stderr
