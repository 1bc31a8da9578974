"""What one served resource is: where it stands in the API and which rules it brings."""

from dataclasses import dataclass, field
from typing import Any

from virtdeck.standalone.apiserver.resources.kept_schema import KeptSchema
from virtdeck.standalone.apiserver.resources.rules import Rules

Obj = dict[str, Any]

ALL_VERBS = ("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch")


@dataclass(frozen=True)
class Column:
    """A printer column of a CRD. priority: 0 always, above only with ``-o wide``."""

    name: str
    json_path: str
    type: str = "string"
    format: str = ""
    description: str = ""
    priority: int = 0


@dataclass(frozen=True)
class ScalePaths:
    """Where a CRD's scale subresource reads and writes, as JSON paths."""

    spec_replicas: str
    status_replicas: str
    label_selector: str | None = None


@dataclass(frozen=True)
class Conversion:
    """The webhook that converts a CRD's objects between versions. generation: of the CRD that names it."""

    client: Obj
    ca: bytes
    generation: int


@dataclass(frozen=True, eq=False)
class Resource:
    """One plural in one version.

    shelf: where its objects are stored, shared by all versions. stored_api_version: what they say there.
    kept_schema: of a CRD's version, None for built-in kinds, whose type is ``type_name``.
    """

    group: str
    version: str
    plural: str
    kind: str
    namespaced: bool = True
    singular: str = ""
    short_names: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    subresources: tuple[str, ...] = ()
    verbs: tuple[str, ...] = ALL_VERBS
    rules: Rules = field(default_factory=Rules)
    shelf: str = ""
    stored_api_version: str = ""
    type_name: str = ""
    kept_schema: KeptSchema | None = None
    columns: tuple[Column, ...] = ()
    scale: ScalePaths | None = None
    conversion: Conversion | None = None
    deprecation: str = ""
    crd: str = ""

    def __post_init__(self) -> None:
        if not self.shelf:
            object.__setattr__(self, "shelf", f"{self.group}/{self.plural}")
        if not self.stored_api_version:
            object.__setattr__(self, "stored_api_version", self.api_version)
        if not self.singular:
            object.__setattr__(self, "singular", self.kind.lower())

    @property
    def api_version(self) -> str:
        """``v1`` or ``group/version``."""
        return f"{self.group}/{self.version}" if self.group else self.version

    @property
    def list_kind(self) -> str:
        return f"{self.kind}List"

    @property
    def schema(self) -> Obj | None:
        """The structural schema of a CRD's version."""
        return self.kept_schema.schema if self.kept_schema is not None else None

    @property
    def is_custom(self) -> bool:
        """Whether it comes from a CRD."""
        return bool(self.crd)

    @property
    def is_stored_version(self) -> bool:
        """Whether objects are served as they are stored."""
        return self.api_version == self.stored_api_version
