"""The façade's OpenAPI document says what is served, with types."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from virtdeck.crds.kinds import CUSTOM
from virtdeck.crds.routes import kind_routes, routes_at
from virtdeck.crds.subresources import VERSIONS
from virtdeck.gateway.facade.openapi import facade_document
from virtdeck.gateway.subresources.routes import ROUTES

Plain = dict[str, Any]

METHODS = {"get", "put", "post", "patch", "delete"}


@pytest.fixture(scope="module")
def document() -> Plain:
    return facade_document({})


def _operations(document: Plain) -> Iterator[tuple[str, str, Plain]]:
    for path, item in document["paths"].items():
        for method in METHODS & item.keys():
            yield method.upper(), path, item[method]


def test_the_document_has_every_route_and_no_other(document: Plain) -> None:
    described = {(method, path) for method, path, _ in _operations(document)}
    kinds = {(route.method, route.path) for route in kind_routes()}
    actions = {(route.sub.method, route.path(version)) for route in ROUTES for version in VERSIONS}
    discovery = {entry for entry in described if entry[1].count("/") < 4}
    assert described == kinds | actions | discovery
    assert all(method == "GET" for method, _ in discovery)


def test_every_reference_leads_somewhere(document: Plain) -> None:
    for room, name in set(re.findall(r"'#/components/(\w+)/([\w.]+)'", repr(document))):
        assert name in document["components"][room], name


def test_every_object_is_described_by_its_type(document: Plain) -> None:
    for kind in CUSTOM:
        schema = document["components"]["schemas"][kind.kind]
        assert schema["properties"]["metadata"]["$ref"].endswith("/ObjectMeta"), kind.kind
        assert schema["properties"]["spec"]["$ref"], kind.kind


def test_what_is_sent_and_answered_has_a_type(document: Plain) -> None:
    untyped = [
        (method, path)
        for method, path, operation in _operations(document)
        for part in (operation.get("requestBody", {}), *operation["responses"].values())
        for media, content in part.get("content", {}).items()
        if media != "image/png" and not content["schema"]
    ]
    assert untyped == []


def test_every_operation_may_answer_with_a_status(document: Plain) -> None:
    for method, path, operation in _operations(document):
        assert operation["responses"]["default"] == {"$ref": "#/components/responses/Failure"}, (method, path)


def test_versions_that_are_deprecated_are_marked(document: Plain) -> None:
    machines = "/apis/kubevirt.io/{}/namespaces/{{namespace}}/virtualmachines"
    assert "deprecated" not in document["paths"][machines.format("v1")]["get"]
    assert document["paths"][machines.format("v1alpha3")]["get"]["deprecated"] is True
    assert (
        document["paths"]["/apis/kubevirt.io/v1/virtualmachineinstancepresets"]["get"]["deprecated"] is True
    )


def test_nothing_in_the_document_is_only_for_kubernetes(document: Plain) -> None:
    assert "x-kubernetes-" not in repr(document)


def test_operations_have_names_of_their_own(document: Plain) -> None:
    names = [operation.get("operationId") for _, _, operation in _operations(document)]
    named = [name for name in names if name]
    assert len(named) == len(set(named)) == len(kind_routes())


@pytest.mark.parametrize("route", kind_routes()[::7], ids=lambda route: f"{route.method} {route.path}")
def test_a_request_finds_its_route_by_path(route: Any) -> None:
    path = route.path.format(namespace="namespaces", name="virtualmachines")
    assert routes_at(path)[route.method] == route


@pytest.mark.parametrize(
    "path",
    [
        "/apis/kubevirt.io/v1/nothings",
        "/apis/kubevirt.io/v2/virtualmachines",
        "/apis/kubevirt.io/v1/virtualmachines/a",
        "/apis/kubevirt.io/v1/namespaces/a",
        "/apis/kubevirt.io/v1/namespaces/a/virtualmachines/",
        "/apis/kubevirt.io/v1/namespaces//virtualmachines",
        "/apis/kubevirt.io/v1/namespaces/a/virtualmachines/a/scale",
        "/apis/kubevirt.io/v1/namespaces/a/virtualmachines/a/status/x",
        "/apis/migrations.kubevirt.io/v1alpha1/namespaces/a/migrationpolicies",
        "/apis/apps/v1/controllerrevisions",
        "/api/v1/secrets",
    ],
)
def test_other_paths_have_no_route(path: str) -> None:
    assert routes_at(path) == {}
