"""What a kind's row and a field's marks become in a CustomResourceDefinition."""

from dataclasses import replace
from typing import Annotated, Any

from virtdeck.crds.kinds import CUSTOM, VM, Kind, Scale, Version
from virtdeck.crds.manifests import crd_manifest, crd_manifests
from virtdeck.crds.manifests.schema import type_schema
from virtdeck.crds.meta import ObjectMeta
from virtdeck.crds.model import Model, default, doc, keyed_by, rule, unordered, whole
from virtdeck.crds.scalars import IntOrString


class Entry(Model, frozen=True, kw_only=True):
    """One entry."""

    name: str


class Thing(Model, frozen=True, kw_only=True):
    """A kind with every mark that a field can have."""

    api_version: str | None = None
    kind: str | None = None
    metadata: ObjectMeta = ObjectMeta()
    entries: Annotated[tuple[Entry, ...] | None, keyed_by("name"), doc("Entries.")] = None
    names: Annotated[tuple[str, ...] | None, unordered(), doc("Names.")] = None
    words: Annotated[tuple[str, ...] | None, whole(), doc("Words.")] = None
    share: Annotated[IntOrString | None, doc("How much.")] = None
    fixed: Annotated[
        str | None,
        rule("self == oldSelf", "cannot be changed"),
        rule("self != ''", "must not be empty"),
        default("a"),
        doc("Fixed."),
    ] = None


def _fields() -> dict[str, Any]:
    properties: dict[str, Any] = type_schema(Thing)["properties"]
    return properties


def _kind(**given: Any) -> Kind[Any]:
    return replace(VM, **given)


def test_a_list_says_how_server_side_apply_merges_it() -> None:
    fields = _fields()
    assert fields["entries"]["x-kubernetes-list-type"] == "map"
    assert fields["entries"]["x-kubernetes-list-map-keys"] == ["name"]
    assert fields["names"]["x-kubernetes-list-type"] == "set"
    assert fields["words"]["x-kubernetes-list-type"] == "atomic"


def test_a_field_carries_all_of_its_rules_and_its_default() -> None:
    assert _fields()["fixed"] == {
        "description": "Fixed.",
        "type": "string",
        "x-kubernetes-validations": [
            {"rule": "self == oldSelf", "message": "cannot be changed"},
            {"rule": "self != ''", "message": "must not be empty"},
        ],
        "default": "a",
    }


def test_an_int_or_string_has_no_type_of_its_own() -> None:
    assert _fields()["share"] == {
        "description": "How much.",
        "anyOf": [{"type": "integer"}, {"type": "string"}],
        "x-kubernetes-int-or-string": True,
    }


def _versions(kind: Kind[Any]) -> list[tuple[str, bool, bool]]:
    versions = crd_manifest(kind)["spec"]["versions"]
    return [(version["name"], version["storage"], version.get("deprecated", False)) for version in versions]


def test_a_version_beside_the_newest_may_be_deprecated_or_not() -> None:
    older = (Version("v1beta1"), Version("v1alpha1", deprecated=True))
    assert _versions(_kind(older=older)) == [
        ("v1", True, False),
        ("v1beta1", False, False),
        ("v1alpha1", False, True),
    ]


def test_objects_may_be_kept_in_an_older_version() -> None:
    kind = _kind(version="v1beta1", older=(Version("v1alpha1", deprecated=True),), stored="v1alpha1")
    assert _versions(kind) == [("v1beta1", False, False), ("v1alpha1", True, True)]


def test_every_version_of_a_deprecated_kind_says_what_to_use() -> None:
    versions = crd_manifest(_kind(deprecation="use preferences"))["spec"]["versions"]
    assert [version["deprecationWarning"] for version in versions] == [
        "kubevirt.io/v1 VirtualMachine is deprecated: use preferences",
        "kubevirt.io/v1alpha3 VirtualMachine is deprecated: use preferences",
    ]


def test_a_scale_subresource_says_where_its_numbers_are() -> None:
    kind = _kind(subresources=("status", "scale"), scale=Scale(selector_path=".status.selector"))
    for version in crd_manifest(kind)["spec"]["versions"]:
        assert version["subresources"] == {
            "status": {},
            "scale": {
                "specReplicasPath": ".spec.replicas",
                "statusReplicasPath": ".status.replicas",
                "labelSelectorPath": ".status.selector",
            },
        }


def test_manifests_made_together_are_those_made_one_by_one() -> None:
    assert crd_manifests(CUSTOM) == [crd_manifest(kind) for kind in CUSTOM]
