"""One table: routes, reviews, discovery, roles and documentation say the same."""

import json

import pytest

from virtdeck.basis.errors import Absent, VirtdeckError
from virtdeck.crds.subresources import GROUP, VERSIONS
from virtdeck.gateway.facade.openapi import facade_document
from virtdeck.gateway.subresources.actions import ACTIONS
from virtdeck.gateway.subresources.app import STREAMS, attempt_of
from virtdeck.gateway.subresources.discovery import api_resource_list
from virtdeck.gateway.subresources.paths import match
from virtdeck.gateway.subresources.routes import ROUTES, Route

VALUES = {"namespace": "ns", "name": "vm-1.a", "port": "22", "protocol": "tcp"}


def path_of(route: Route, version: str = "v1") -> str:
    return route.path(version).format(**VALUES)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("route", ROUTES, ids=lambda route: f"{route.sub.method} {route.path('v')}")
def test_each_route_is_found_by_its_own_path_and_reviewed_by_its_whole_name(
    route: Route, version: str
) -> None:
    found = match(route.sub.method, path_of(route, version).encode())
    assert found.route == route
    attempt = attempt_of(found)
    named = f"{attempt.resource}/{attempt.subresource}" if attempt.subresource else attempt.resource
    assert (named, attempt.group, attempt.verb) == (route.name, GROUP, route.sub.verb)
    if route.sub.resource:
        assert (attempt.namespace, attempt.name) == ("ns", "vm-1.a")


def test_each_route_has_somebody_who_carries_it_out() -> None:
    for route in ROUTES:
        assert (route.action in STREAMS) == route.sub.websocket
        assert (route.action in ACTIONS) != route.sub.websocket


def test_discovery_names_each_route_with_its_verb() -> None:
    listed = {entry["name"]: entry["verbs"] for entry in api_resource_list("v1")["resources"]}
    assert {route.name for route in ROUTES} == set(listed)
    assert all(route.sub.verb in listed[route.name] for route in ROUTES)


def test_the_documentation_has_each_route() -> None:
    paths = facade_document({})["paths"]
    assert all(route.sub.method.lower() in paths[route.path("v1")] for route in ROUTES)
    json.dumps(paths)


@pytest.mark.parametrize(
    "path",
    [
        "/apis/subresources.kubevirt.io/v2/namespaces/ns/virtualmachines/a/start",
        "/apis/subresources.kubevirt.io/v1/namespaces/ns/virtualmachines/a",
        "/apis/subresources.kubevirt.io/v1/namespaces/ns/virtualmachines//start",
        "/apis/subresources.kubevirt.io/v1/namespaces//ns/virtualmachines/a/start",
        "/apis/subresources.kubevirt.io/v1/namespaces/ns/virtualmachines/a/start/",
        "/apis/subresources.kubevirt.io/v1/namespaces/ns/virtualmachines/a/Start",
        "/apis/subresources.kubevirt.io/v1/namespaces/ns/virtualmachines/a/start.",
        "/apis/subresources.kubevirt.io/v1/namespaces/ns/virtualmachines/a/start;x",
        "/apis/subresources.kubevirt.io/v1/namespaces/ns/virtualmachines/a%2fb/start",
        "/apis/subresources.kubevirt.io/v1/namespaces/ns/virtualmachines/a/vnc%2Fscreenshot",
        "/apis/subresources.kubevirt.io/v1/namespaces/ns/virtualmachines/../virtualmachines/a/start",
        "/apis/subresources.kubevirt.io/v1/namespaces/NS/virtualmachines/a/start",
        "/apis/subresources.kubevirt.io/v1/namespaces/ns/virtualmachines/-a/start",
        "/apis/subresources.kubevirt.io/v1/namespaces/ns/virtualmachineinstances/a/portforward",
        "/apis/subresources.kubevirt.io/v1/namespaces/ns/virtualmachineinstances/a/portforward/22/tcp/x",
        "/apis/subresources.kubevirt.io/v1/namespaces/ns/secrets/a/start",
        "/x/apis/subresources.kubevirt.io/v1/version",
        "/apis/subresources.kubevirt.io/v1/namespaces/ns/version",
    ],
)
def test_anything_else_is_no_path_of_ours(path: str) -> None:
    for method in ("GET", "PUT"):
        with pytest.raises(Absent):
            match(method, path.encode())


def test_another_method_is_told_which_one_it_is() -> None:
    with pytest.raises(VirtdeckError, match="PUT only") as caught:
        match("POST", b"/apis/subresources.kubevirt.io/v1/namespaces/ns/virtualmachines/a/start")
    assert caught.value.reason == "MethodNotAllowed"
