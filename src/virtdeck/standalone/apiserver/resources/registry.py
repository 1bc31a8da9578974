"""What is served at this moment: built-in kinds, kinds from CRDs, and groups served by others."""

from dataclasses import dataclass
from typing import Any

from virtdeck.standalone.apiserver.resources.builtin import builtin_resources
from virtdeck.standalone.apiserver.resources.crd_names import Taken, is_established, names_of
from virtdeck.standalone.apiserver.resources.definitions import resources_of
from virtdeck.standalone.apiserver.resources.preference import version_rank
from virtdeck.standalone.apiserver.resources.resource import Resource

Obj = dict[str, Any]
GroupVersion = tuple[str, str]


@dataclass(frozen=True)
class Delegate:
    """A group and version that another server answers for, by an APIService.

    ca: PEM that its certificate must chain to; None when the APIService says not to check.
    """

    name: str
    group: str
    version: str
    service: str  # namespace/name
    port: int
    ca: bytes | None
    priority: tuple[int, int] = (1000, 15)


class Registry:
    """Looks resources up; the store's listeners keep it current."""

    def __init__(self) -> None:
        self._names: dict[str, tuple[str, Taken]] = {}  # of CRDs whose names are accepted, with their groups
        self._unaccepted: dict[str, str] = {}  # CRDs whose names others have, with their groups
        self._resources: dict[tuple[str, str, str], Resource] = {}
        self._delegates: dict[str, Delegate] = {}
        self._of_crd: dict[str, list[Resource]] = {}
        self.generation = 0  # changes with what is served, for caches built from it
        for resource in builtin_resources(self.names_taken):
            self._add(resource)

    def find(self, group: str, version: str, plural: str) -> Resource | None:
        return self._resources.get((group, version, plural))

    def require(self, group: str, version: str, plural: str) -> Resource:
        """A built-in resource. Raises: KeyError."""
        return self._resources[(group, version, plural)]

    def of_kind(self, api_version: str, kind: str) -> Resource | None:
        """The resource of an object's apiVersion and kind."""
        for resource in self._resources.values():
            if resource.kind == kind and resource.api_version == api_version:
                return resource
        return None

    def all(self) -> list[Resource]:
        return list(self._resources.values())

    def of_shelf(self, shelf: str) -> Resource | None:
        """A resource whose objects stand on this shelf, the stored version if it is served."""
        found = [resource for resource in self._resources.values() if resource.shelf == shelf]
        return next((one for one in found if one.is_stored_version), found[0] if found else None)

    def versions(self, group: str) -> list[str]:
        """The versions of a group, the preferred one first."""
        found = {version for (name, version, _plural) in self._resources if name == group}
        found |= {one.version for one in self._delegates.values() if one.group == group}
        return sorted(found, key=version_rank)

    def groups(self) -> list[str]:
        """All groups but the core one, built-in ones first."""
        names = dict.fromkeys(group for (group, _version, _plural) in self._resources if group)
        names |= dict.fromkeys(one.group for one in self._delegates.values())
        return list(names)

    def in_group_version(self, group: str, version: str) -> list[Resource]:
        """The resources of one group and version by plural."""
        found = [one for one in self._resources.values() if one.group == group and one.version == version]
        return sorted(found, key=lambda resource: resource.plural)

    def delegate(self, group: str, version: str) -> Delegate | None:
        """Who answers for a group and version, if it is not this server."""
        return self._delegates.get(f"{version}.{group}")

    def delegates(self) -> list[Delegate]:
        return list(self._delegates.values())

    def set_definition(self, definition: Obj, data: bytes) -> None:
        """The CRD's resources are served as it says now, if it is established.

        data: the CRD as it is stored.
        """
        name, group = definition["metadata"]["name"], definition["spec"]["group"]
        self.drop_definition(name)
        if not is_established(definition):
            self._unaccepted[name] = group
            return
        self._names[name] = (group, names_of(definition["status"].get("acceptedNames") or {}))
        self._of_crd[name] = resources_of(definition, data)
        for resource in self._of_crd[name]:
            self._add(resource)
        self.generation += 1

    def drop_definition(self, name: str) -> None:
        """The CRD's resources are not served any more."""
        for resource in self._of_crd.pop(name, ()):
            self._resources.pop((resource.group, resource.version, resource.plural), None)
        self._names.pop(name, None)
        self._unaccepted.pop(name, None)
        self.generation += 1

    def names_taken(self, group: str, name: str) -> Taken:
        """The names in a group that others than the CRD of this name have."""
        others = [taken for crd, (place, taken) in self._names.items() if place == group and crd != name]
        return Taken(
            frozenset(word for one in others for word in one.words),
            frozenset(kind for one in others for kind in one.kinds),
        )

    def unaccepted(self, group: str) -> list[str]:
        """The CRDs of a group that wait for their names."""
        return [name for name, place in self._unaccepted.items() if place == group]

    def set_delegate(self, delegate: Delegate) -> None:
        self._delegates[delegate.name] = delegate
        self.generation += 1

    def drop_delegate(self, name: str) -> None:
        if self._delegates.pop(name, None):
            self.generation += 1

    def _add(self, resource: Resource) -> None:
        self._resources[(resource.group, resource.version, resource.plural)] = resource
