"""Secrets and ConfigMaps."""

import base64
import binascii
import re
from collections.abc import Iterator
from typing import Any

from virtdeck.basis.errors import Cause
from virtdeck.standalone.apiserver.problems import bad_request
from virtdeck.standalone.apiserver.resources.checks import is_key
from virtdeck.standalone.apiserver.resources.rules import Obj, Rules, required

_LARGEST_BYTES = 1024 * 1024
_ACCOUNT_NAME = "kubernetes.io/service-account.name"
_DOCKER_JSON = ".dockerconfigjson"
_SPACE = re.compile(r"[\r\n]")
# What data of a type must have.
_NEEDED = {
    "kubernetes.io/tls": ("tls.crt", "tls.key"),
    "kubernetes.io/ssh-auth": ("ssh-privatekey",),
    "kubernetes.io/dockerconfigjson": (_DOCKER_JSON,),
    "kubernetes.io/dockercfg": (".dockercfg",),
}


class SecretRules(Rules):
    """Secrets: ``stringData`` becomes ``data``; type and immutable ones do not change."""

    selectable = frozenset({"type"})

    def default(self, obj: Obj) -> None:
        if not obj.get("type"):
            obj["type"] = "Opaque"
        for name, text in (obj.pop("stringData", None) or {}).items():
            data = obj.get("data") or {}
            obj["data"] = {**data, name: base64.b64encode(str(text).encode()).decode()}
        for name, value in (obj.get("data") or {}).items():
            _require_base64(name, value)

    def causes(self, obj: Obj) -> list[Cause]:
        data: dict[str, Any] = obj.get("data") or {}
        causes = [cause for name in data for cause in is_key(f"data[{name}]", name)]
        if sum(len(value) for value in data.values()) * 3 // 4 > _LARGEST_BYTES:
            causes.append(_too_long("data"))
        return causes + list(_of_type(obj, data))

    def causes_of_update(self, new: Obj, old: Obj) -> list[Cause]:
        causes = []
        if new.get("type") != old.get("type"):
            causes.append(Cause("type", f'Invalid value: "{new.get("type")}": field is immutable'))
        return causes + causes_of_immutable(new, old, ("data",))


def _require_base64(name: str, value: Any) -> None:
    """Raises: StatusError 400, as for bytes that cannot be read."""
    try:
        base64.b64decode(_SPACE.sub("", str(value)), validate=True)
    except (binascii.Error, ValueError) as fault:
        raise bad_request(
            f'Secret in version "v1" cannot be handled as a Secret: data.{name}: illegal base64 data'
        ) from fault


def _of_type(obj: Obj, data: Obj) -> Iterator[Cause]:
    kind = obj.get("type")
    for name in _NEEDED.get(str(kind), ()):
        if name not in data:
            yield required(f"data[{name}]")
    if kind == "kubernetes.io/basic-auth" and not {"username", "password"} & set(data):
        yield required("data[%s][username]")
        yield required("data[%s][password]")
    if kind == "kubernetes.io/service-account-token":
        annotations = obj["metadata"].get("annotations") or {}
        if not annotations.get(_ACCOUNT_NAME):
            yield required(f"metadata.annotations[{_ACCOUNT_NAME}]")


class ConfigMapRules(Rules):
    """ConfigMaps: immutable ones do not change."""

    def causes(self, obj: Obj) -> list[Cause]:
        data, binary = obj.get("data") or {}, obj.get("binaryData") or {}
        causes = [cause for name in data for cause in is_key(f"data[{name}]", name)]
        causes += [cause for name in binary for cause in is_key(f"binaryData[{name}]", name)]
        for name in sorted(set(data) & set(binary)):
            text = f'Invalid value: "{name}": duplicate of key present in binaryData'
            causes.append(Cause(f"data[{name}]", text))
        size = sum(map(len, data.values())) + sum(map(len, binary.values())) * 3 // 4
        return [*causes, _too_long("")] if size > _LARGEST_BYTES else causes

    def causes_of_update(self, new: Obj, old: Obj) -> list[Cause]:
        return causes_of_immutable(new, old, ("data", "binaryData"))


def _too_long(path: str) -> Cause:
    text = f"Too long: may not be more than {_LARGEST_BYTES} bytes"
    return Cause(path, text, "FieldValueTooLong")


def causes_of_immutable(new: Obj, old: Obj, parts: tuple[str, ...]) -> list[Cause]:
    """What an object with ``immutable: true`` does not allow."""
    if not old.get("immutable"):
        return []
    text = "Forbidden: field is immutable when `immutable` is set"
    changed = [name for name in parts if (new.get(name) or {}) != (old.get(name) or {})]
    if not new.get("immutable"):
        changed.insert(0, "immutable")
    return [Cause(name, text, "FieldValueForbidden") for name in changed]
