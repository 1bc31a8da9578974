"""Discovery: which groups, versions and resources there are, in the plain and the aggregated form."""

from typing import Any

from virtdeck.standalone.apiserver.access.reviews import REVIEWS
from virtdeck.standalone.apiserver.resources.registry import Registry
from virtdeck.standalone.apiserver.resources.resource import Resource

Obj = dict[str, Any]

# Groups without stored objects: only reviews are posted there.
REVIEW_GROUPS = ("authentication.k8s.io", "authorization.k8s.io")
_SUB_VERBS: dict[str, tuple[str, ...]] = {
    "status": ("get", "patch", "update"),
    "scale": ("get", "patch", "update"),
    "log": ("get",),
    "binding": ("create",),
    "eviction": ("create",),
    "token": ("create",),
    "finalize": ("update",),
}
_SUB_KINDS: dict[str, tuple[str, str, str]] = {
    "scale": ("autoscaling", "v1", "Scale"),
    "binding": ("", "", "Binding"),
    "eviction": ("policy", "v1", "Eviction"),
    "token": ("authentication.k8s.io", "v1", "TokenRequest"),
}


def core_versions(address: str) -> Obj:
    """What /api answers."""
    return {
        "kind": "APIVersions",
        "versions": ["v1"],
        "serverAddressByClientCIDRs": [{"clientCIDR": "0.0.0.0/0", "serverAddress": address}],
    }


def group_names(registry: Registry) -> list[str]:
    """Every group but the core one."""
    return [*registry.groups(), *REVIEW_GROUPS]


def versions_of(registry: Registry, group: str) -> list[str]:
    """A group's versions, the preferred one first."""
    return ["v1"] if group in REVIEW_GROUPS else registry.versions(group)


def group_of(registry: Registry, group: str) -> Obj | None:
    """The APIGroup; None if there is none."""
    versions = [{"groupVersion": f"{group}/{one}", "version": one} for one in versions_of(registry, group)]
    if not versions:
        return None
    return {
        "kind": "APIGroup",
        "apiVersion": "v1",
        "name": group,
        "versions": versions,
        "preferredVersion": versions[0],
    }


def group_list(registry: Registry) -> Obj:
    """What /apis answers."""
    groups = [group_of(registry, name) for name in group_names(registry)]
    bare = [
        {key: value for key, value in one.items() if key not in ("kind", "apiVersion")}
        for one in groups
        if one
    ]
    return {"kind": "APIGroupList", "apiVersion": "v1", "groups": bare}


def resource_list(registry: Registry, group: str, version: str) -> Obj | None:
    """The APIResourceList of a group and version served here; None if there is none."""
    listed = _reviews(group, version)
    for resource in registry.in_group_version(group, version):
        listed.append(_listed(resource))
        listed += [_listed_subresource(resource, name) for name in resource.subresources]
    if not listed:
        return None
    api_version = f"{group}/{version}" if group else version
    return {"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": api_version, "resources": listed}


def _reviews(group: str, version: str) -> list[Obj]:
    if version != "v1":
        return []
    return [
        {
            "name": plural,
            "singularName": kind.lower(),
            "namespaced": namespaced,
            "kind": kind,
            "verbs": ["create"],
        }
        for (of, plural), (kind, namespaced) in sorted(REVIEWS.items())
        if of == group
    ]


def _listed(resource: Resource) -> Obj:
    listed: Obj = {
        "name": resource.plural,
        "singularName": resource.singular,
        "namespaced": resource.namespaced,
        "kind": resource.kind,
        "verbs": list(resource.verbs),
    }
    if resource.short_names:
        listed["shortNames"] = list(resource.short_names)
    if resource.categories:
        listed["categories"] = list(resource.categories)
    return listed


def _listed_subresource(resource: Resource, name: str) -> Obj:
    listed: Obj = {
        "name": f"{resource.plural}/{name}",
        "singularName": "",
        "namespaced": resource.namespaced,
        "kind": resource.kind,
        "verbs": list(_SUB_VERBS.get(name, ("get",))),
    }
    if name in _SUB_KINDS:
        group, version, kind = _SUB_KINDS[name]
        listed["kind"] = kind
        if group:
            listed |= {"group": group, "version": version}
    return listed


def aggregated(groups: list[tuple[str, list[tuple[str, Obj | None]]]], form: str) -> Obj:
    """APIGroupDiscoveryList of groups, each with its versions' APIResourceLists (None: it did not answer).

    form: v2 or v2beta1.
    """
    items = [
        {
            "metadata": {"name": name, "creationTimestamp": None} if name else {"creationTimestamp": None},
            "versions": [_aggregated_version(version, listed) for version, listed in versions],
        }
        for name, versions in groups
    ]
    return {
        "kind": "APIGroupDiscoveryList",
        "apiVersion": f"apidiscovery.k8s.io/{form}",
        "metadata": {},
        "items": items,
    }


def _aggregated_version(version: str, listed: Obj | None) -> Obj:
    if listed is None:
        return {"version": version, "freshness": "Stale"}
    api_version = listed.get("groupVersion", version)
    group, _, _ = api_version.rpartition("/")
    found: dict[str, Obj] = {}
    for one in listed.get("resources") or ():
        name, slash, subresource = one["name"].partition("/")
        if not slash:
            found[name] = _aggregated_resource(one, group, version)
        else:
            # A subresource may stand alone (subresources.kubevirt.io has no plain resources).
            parent = found.setdefault(name, _bare_parent(name, one))
            kind = _kind_of(one, group, version)
            parent.setdefault("subresources", []).append(
                {"subresource": subresource, "responseKind": kind, "verbs": one.get("verbs") or []}
            )
    return {"version": version, "freshness": "Current", "resources": list(found.values())}


def _kind_of(one: Obj, group: str, version: str) -> Obj:
    return {
        "group": one.get("group", group),
        "version": one.get("version") or version,
        "kind": one.get("kind", ""),
    }


def _aggregated_resource(one: Obj, group: str, version: str) -> Obj:
    made: Obj = {
        "resource": one["name"],
        "responseKind": _kind_of(one, group, version),
        "scope": "Namespaced" if one.get("namespaced") else "Cluster",
        "singularResource": one.get("singularName", ""),
        "verbs": one.get("verbs") or [],
    }
    for source, target in (("shortNames", "shortNames"), ("categories", "categories")):
        if one.get(source):
            made[target] = one[source]
    return made


def _bare_parent(name: str, one: Obj) -> Obj:
    return {
        "resource": name,
        "responseKind": {"group": "", "version": "", "kind": ""},
        "scope": "Namespaced" if one.get("namespaced") else "Cluster",
        "singularResource": "",
        "verbs": [],
    }
