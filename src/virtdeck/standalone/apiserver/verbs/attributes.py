"""What admission and storage must know of one write."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from virtdeck.standalone.apiserver.access.identity import SELF, User
from virtdeck.standalone.apiserver.resources.resource import Resource
from virtdeck.standalone.apiserver.storage.rows import Key


def _ignore(_text: str) -> None:
    """A warning that nobody hears."""


def _drop(_name: str, _text: str) -> None:
    """An annotation that nobody keeps."""


@dataclass(frozen=True)
class Attributes:
    """One write to one object. operation: CREATE, UPDATE or DELETE."""

    resource: Resource
    operation: str
    namespace: str
    name: str
    subresource: str = ""
    user: User = SELF
    dry_run: bool = False
    strictness: str = "Ignore"
    manager: str = "virtdeck"
    part: str = ""  # whose fields are owned apart, if that is not ``subresource``: scale
    settled: bool = False  # managedFields are as they shall be: an apply, or a write that owns nothing
    doubled: tuple[str, ...] = ()  # fields that the body gave more than once
    options: dict[str, Any] = field(default_factory=dict)
    warn: Callable[[str], None] = _ignore
    annotate: Callable[[str, str], None] = _drop  # of the request in the audit log

    @property
    def key(self) -> Key:
        return (self.namespace if self.resource.namespaced else "", self.name)

    @property
    def kind(self) -> str:
        return self.resource.kind

    @property
    def group(self) -> str:
        return self.resource.group

    @property
    def plural(self) -> str:
        return self.resource.plural
