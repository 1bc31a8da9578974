"""Paths and methods to what they ask for."""

import pytest

from virtdeck.standalone.apiserver.requests.targets import Target, parse_query, parse_target


def target(method: str, path: str, query: str = "") -> Target:
    return parse_target(method, path, parse_query(query.encode()))


@pytest.mark.parametrize(
    ("method", "path", "query", "expected"),
    [
        ("GET", "/api/v1/pods", "", ("list", "", "v1", "pods", "", "", "")),
        ("GET", "/api/v1/pods", "watch=true", ("watch", "", "v1", "pods", "", "", "")),
        ("GET", "/api/v1/pods", "watch=false", ("list", "", "v1", "pods", "", "", "")),
        ("GET", "/api/v1/namespaces/n/pods/p", "", ("get", "", "v1", "pods", "n", "p", "")),
        ("GET", "/api/v1/namespaces/n/pods/p/log", "", ("get", "", "v1", "pods", "n", "p", "log")),
        ("POST", "/apis/g/v2/things", "", ("create", "g", "v2", "things", "", "", "")),
        ("PUT", "/apis/g/v2/things/t/status", "", ("update", "g", "v2", "things", "", "t", "status")),
        (
            "DELETE",
            "/apis/g/v2/namespaces/n/things",
            "",
            ("deletecollection", "g", "v2", "things", "n", "", ""),
        ),
        ("GET", "/api/v1/namespaces", "", ("list", "", "v1", "namespaces", "", "", "")),
        ("GET", "/api/v1/namespaces/n", "", ("get", "", "v1", "namespaces", "n", "n", "")),
        (
            "PUT",
            "/api/v1/namespaces/n/finalize",
            "",
            ("update", "", "v1", "namespaces", "n", "n", "finalize"),
        ),
        ("GET", "/api/v1/pods", "fieldSelector=metadata.name%3Dx", ("list", "", "v1", "pods", "", "x", "")),
        ("GET", "/api/v1/namespaces/a%2Fb/pods", "", ("list", "", "v1", "pods", "a/b", "", "")),
    ],
)
def test_resource_path(method: str, path: str, query: str, expected: tuple[str, ...]) -> None:
    found = target(method, path, query)
    assert found.is_resource
    named = (
        found.verb,
        found.group,
        found.version,
        found.plural,
        found.namespace,
        found.name,
        found.subresource,
    )
    assert named == expected


@pytest.mark.parametrize(
    "path", ["/", "/api", "/api/v1", "/apis", "/apis/g", "/apis/g/v1", "/healthz", "/openapi/v2"]
)
def test_other_paths_name_no_resource(path: str) -> None:
    assert not target("GET", path).is_resource
