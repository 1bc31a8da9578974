"""Every volume that objects fill is read as a projected one."""

from typing import Any

import pytest

from virtdeck.basis.errors import Invalid
from virtdeck.crds.codec import decode
from virtdeck.crds.core.pod_volumes import ConfigMapProjection, PodVolume
from virtdeck.standalone.runner.volume_files import pick, projections


def volume(**source: Any) -> PodVolume:
    return decode({"name": "v", **source}, PodVolume)


def source(**fields: Any) -> ConfigMapProjection:
    return decode(fields, ConfigMapProjection)


def test_a_secret_and_a_config_map_are_one_source_each() -> None:
    (secret,) = projections(volume(secret={"secretName": "s", "optional": True})) or ()
    (config,) = projections(volume(configMap={"name": "c"})) or ()
    assert secret.secret is not None
    assert (secret.secret.name, secret.secret.optional) == ("s", True)
    assert config.config_map is not None
    assert config.config_map.name == "c"


def test_what_no_object_fills_has_no_sources() -> None:
    assert projections(volume(emptyDir={})) is None


def test_entries_are_files_of_their_own_names() -> None:
    assert pick("v", source(), {"a": b"1", "b": b"2"}) == {"a": b"1", "b": b"2"}


def test_chosen_entries_have_their_paths() -> None:
    assert pick("v", source(items=[{"key": "a", "path": "x/y"}]), {"a": b"1", "b": b"2"}) == {"x/y": b"1"}


def test_a_key_that_is_not_there_is_named_unless_it_may_lack() -> None:
    items = [{"key": "gone", "path": "x"}]
    with pytest.raises(Invalid, match="the volume v wants the key gone"):
        pick("v", source(items=items), {})
    assert pick("v", source(items=items, optional=True), {}) == {}
