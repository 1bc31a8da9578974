"""What users may do: kubevirt.io:{default,view,edit,admin,migrate}, added to Kubernetes' view, edit, admin.

The subresources' rules come from the table that virt-api's routes and access reviews use.
"""

from itertools import groupby

from virtdeck.crds.kinds import VM, VMI
from virtdeck.crds.subresources import GROUP, SUBRESOURCES, Audience, Subresource
from virtdeck.install.rules import READ, Object, Rule, allow, cluster_role

DEFAULT = "kubevirt.io:default"
_CHANGE = ("create", "update", "patch", "delete")
_RESOURCES = f"{VM.plural} {VMI.plural}"


def user_cluster_roles(*, aggregate: bool = True) -> list[Object]:
    """The roles that an administrator binds to people.

    aggregate: they become part of Kubernetes' roles view, edit and admin (``roleAggregationStrategy``).
    """
    edit = [allow("kubevirt.io", _RESOURCES, (*READ, *_CHANGE)), *_served("view", "edit")]
    admin = [
        allow("kubevirt.io", _RESOURCES, (*READ, *_CHANGE, "deletecollection")),
        *_served("view", "edit"),
    ]
    return [
        cluster_role(
            DEFAULT, [allow("kubevirt.io", "kubevirts", "get list"), allow(GROUP, "version", "get list")]
        ),
        _part_of("view", [allow("kubevirt.io", _RESOURCES, READ), *_served("view")], aggregate),
        _part_of("edit", [*edit, allow(GROUP, "expand-vm-spec", "update")], aggregate),
        _part_of("admin", [*admin, allow(GROUP, "expand-vm-spec", "update")], aggregate),
        cluster_role("kubevirt.io:migrate", _served("migrate")),
    ]


def _part_of(name: str, rules: list[Rule], aggregate: bool) -> Object:
    label = {f"rbac.authorization.k8s.io/aggregate-to-{name}": "true"} if aggregate else {}
    return cluster_role(f"kubevirt.io:{name}", rules, label)


def _served(*audiences: Audience) -> list[Rule]:
    """One rule for each object and verb, with all subresources that these people may use."""
    wanted = sorted((sub for sub in SUBRESOURCES if sub.audience in audiences), key=_place)
    return [
        allow(GROUP, " ".join(sub.rbac_resource for sub in subs), verb)
        for (_, verb), subs in groupby(wanted, key=_place)
    ]


def _place(sub: Subresource) -> tuple[str, str]:
    return sub.resource, sub.verb
