"""What is said of one kind of object: where it is served, how it is listed, which type it is."""

import importlib
from dataclasses import dataclass
from functools import cache
from typing import Any, Generic, Literal, TypeVar, cast

from virtdeck.crds.model import Model

T = TypeVar("T", bound=Model)

Users = Literal["change", "share", "look", "migrate", "everybody", "nobody"]

ALL = ("all",)
"""The categories of what ``kubectl get all`` lists."""


@dataclass(frozen=True)
class Column:
    """One column of ``kubectl get``. priority: 0 always, 1 with ``-o wide``."""

    name: str
    json_path: str
    type: Literal["string", "integer", "number", "boolean", "date"] = "string"
    description: str = ""
    priority: int = 0


@dataclass(frozen=True)
class Version:
    """A version that is served beside the one that virtdeck speaks; its fields are the same.

    deprecated: who uses it is warned. warning: in place of the sentence that names the version to use.
    """

    name: str
    deprecated: bool = False
    warning: str = ""


@dataclass(frozen=True)
class Scale:
    """Where ``kubectl scale`` and autoscalers find the numbers of an object."""

    spec_path: str = ".spec.replicas"
    status_path: str = ".status.replicas"
    selector_path: str = ".status.labelSelector"


@dataclass(frozen=True)
class Kind(Generic[T]):
    """One kind of object in the API.

    version: the one that virtdeck's components speak. older: what is served as well.
    stored: the version that objects are kept in, ``version`` when empty.
    struct: ``module:class`` of its type below ``virtdeck.crds``.
    deprecation: why nobody should use the kind any more and what to use; every version warns with it.
    subresources: of the API server itself (``status``, ``scale``), not those of virt-api.
    users: what the roles kubevirt.io:{view,edit,admin} may: ``change`` (view only looks), ``look``,
    ``migrate`` (look; kubevirt.io:migrate changes), ``everybody`` (all look, whoever they are), ``nobody``.
    """

    group: str
    version: str
    plural: str
    kind: str
    struct: str
    namespaced: bool = True
    short_names: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    columns: tuple[Column, ...] = ()
    subresources: tuple[str, ...] = ()
    scale: Scale = Scale()
    older: tuple[Version, ...] = ()
    stored: str = ""
    deprecation: str = ""
    users: Users = "change"

    @property
    def api_version(self) -> str:
        """``v1`` or ``group/version``."""
        return f"{self.group}/{self.version}" if self.group else self.version

    @property
    def older_versions(self) -> tuple[str, ...]:
        """Names of the versions that are served beside ``version``."""
        return tuple(version.name for version in self.older)

    @property
    def singular(self) -> str:
        return self.kind.lower()

    @property
    def list_kind(self) -> str:
        return f"{self.kind}List"

    @property
    def scope(self) -> Literal["Namespaced", "Cluster"]:
        """As CRDs spell it."""
        return "Namespaced" if self.namespaced else "Cluster"

    @property
    def type(self) -> type[T]:
        """The Struct; its module is imported at the first call."""
        return cast("type[T]", _load(self.struct))


@cache
def _load(struct: str) -> Any:
    module, _, name = struct.partition(":")
    return getattr(importlib.import_module(f"virtdeck.crds.{module}"), name)
