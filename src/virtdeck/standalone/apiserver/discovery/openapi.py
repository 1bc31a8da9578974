"""/openapi/v2 and /openapi/v3, built when first asked for and kept until what is served changes."""

from hashlib import sha256
from typing import Any

import orjson

from virtdeck.standalone.apiserver.discovery.openapi_paths import paths_of
from virtdeck.standalone.apiserver.discovery.openapi_protobuf import encode_document
from virtdeck.standalone.apiserver.discovery.openapi_schemas import schemas_of, to_v2
from virtdeck.standalone.apiserver.problems import no_such_path
from virtdeck.standalone.apiserver.requests.call import Call, Reply
from virtdeck.standalone.apiserver.resources.registry import Registry
from virtdeck.standalone.apiserver.resources.resource import Resource
from virtdeck.standalone.apiserver.service import Service

Obj = dict[str, Any]

_INFO = {"title": "Kubernetes", "version": "v1.32.0"}
_PROTOBUF = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf"


class _Cache:
    """Documents of one generation of the registry."""

    def __init__(self) -> None:
        self.generation = -1
        self.documents: dict[str, bytes] = {}

    def get(self, service: Service, name: str) -> bytes:
        if self.generation != service.registry.generation:
            self.generation = service.registry.generation
            self.documents = {}
        if name not in self.documents:
            self.documents[name] = _build(service.registry, name)
        return self.documents[name]


_cache = _Cache()


async def openapi(call: Call, service: Service) -> Reply:
    """The document that the path names. Raises: StatusError 404."""
    match call.target.parts[1:]:
        case ("v2",):
            accept = call.headers.get("accept", "")
            if "protobuf" in accept.partition(",")[0]:
                return _reply(call, _cache.get(service, "v2.pb"), _PROTOBUF)
            return _reply(call, _cache.get(service, "v2.json"))
        case ("v3",):
            return _reply(call, _index(service))
        case ("v3", "api", "v1"):
            return _reply(call, _cache.get(service, "api/v1"))
        case ("v3", "apis", group, version) if service.registry.in_group_version(group, version):
            return _reply(call, _cache.get(service, f"apis/{group}/{version}"))
    raise no_such_path()


def _reply(call: Call, body: bytes, content_type: str = "application/json") -> Reply:
    etag = f'"{sha256(body).hexdigest().upper()}"'
    headers = (("ETag", etag), ("Vary", "Accept"))
    if call.headers.get("if-none-match") == etag:
        return Reply(b"", 304, content_type, headers)
    return Reply(body, 200, content_type, headers)


def _index(service: Service) -> bytes:
    paths = {}
    for name in _group_versions(service.registry):
        digest = sha256(_cache.get(service, name)).hexdigest().upper()
        paths[name] = {"serverRelativeURL": f"/openapi/v3/{name}?hash={digest}"}
    return orjson.dumps({"paths": paths})


def _group_versions(registry: Registry) -> list[str]:
    found = dict.fromkeys((one.group, one.version) for one in registry.all())
    return [f"apis/{group}/{version}" if group else f"api/{version}" for group, version in found]


def _build(registry: Registry, name: str) -> bytes:
    if name == "v2.json":
        return orjson.dumps(_v2(registry.all()))
    if name == "v2.pb":
        return encode_document(_v2(registry.all()))
    group, _, version = name.removeprefix("apis/").rpartition("/")
    group = "" if name == "api/v1" else group
    return orjson.dumps(_v3(registry.in_group_version(group, version)))


def _v2(resources: list[Resource]) -> Obj:
    return {
        "swagger": "2.0",
        "info": _INFO,
        "paths": paths_of(resources, v3=False),
        "definitions": schemas_of(resources, lambda name: f"#/definitions/{name}", to_v2),
    }


def _v3(resources: list[Resource]) -> Obj:
    schemas = schemas_of(resources, lambda name: f"#/components/schemas/{name}", lambda schema: schema)
    return {
        "openapi": "3.0.0",
        "info": _INFO,
        "paths": paths_of(resources, v3=True),
        "components": {"schemas": schemas},
    }
