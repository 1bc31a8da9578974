"""What users may do: kubevirt.io:{default,view,edit,admin,migrate}, added to Kubernetes' view, edit, admin.

Every rule comes from ``crds.permissions``, the table that routes and access reviews use as well.
"""

from collections import defaultdict
from typing import Final

from virtdeck.crds.permissions import Role, permissions
from virtdeck.install.rules import Object, Rule, allow, cluster_role

DEFAULT = "kubevirt.io:default"
SHARED: Final = "instancetype.kubevirt.io:view"


def user_cluster_roles(*, aggregate: bool = True) -> list[Object]:
    """The roles that an administrator binds to people.

    aggregate: they become part of Kubernetes' roles view, edit and admin (``roleAggregationStrategy``).
    """
    return [
        cluster_role(DEFAULT, _rules("default")),
        _part_of("view", aggregate),
        _part_of("edit", aggregate),
        _part_of("admin", aggregate),
        cluster_role("kubevirt.io:migrate", _rules("migrate")),
        cluster_role(SHARED, _rules(SHARED)),
    ]


def _part_of(name: Role, aggregate: bool) -> Object:
    label = {f"rbac.authorization.k8s.io/aggregate-to-{name}": "true"} if aggregate else {}
    return cluster_role(f"kubevirt.io:{name}", _rules(name), label)


def _rules(role: Role) -> list[Rule]:
    """One rule for each group and set of verbs, with all resources that this role has them for."""
    verbs: dict[tuple[str, str], list[str]] = defaultdict(list)
    for permission in permissions():
        if role in permission.roles:
            verbs[permission.group, permission.resource].append(permission.verb)
    resources: dict[tuple[str, tuple[str, ...]], list[str]] = defaultdict(list)
    for (group, resource), allowed in verbs.items():
        resources[group, tuple(allowed)].append(resource)
    return [allow(group, " ".join(names), allowed) for (group, allowed), names in resources.items()]
