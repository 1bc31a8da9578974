"""D8: what presets give to new VMIs."""

from tests.unit.gateway.admission.build import Plain, vmi
from tests.unit.gateway.admission.examples.presets import preset

from virtdeck.gateway.admission.defaults.presets import DEFAULTS, EXCLUDED, PresetDraft, matching

_SMALL: Plain = {"cpu": {"cores": 2}, "resources": {"requests": {"memory": "64M"}}}


def _merged(vmi_object: Plain, *presets: Plain) -> Plain:
    draft = PresetDraft(vmi_object, matching(vmi_object, presets))
    DEFAULTS.fill(draft)
    return draft.vmi


def test_a_preset_gives_what_the_vmi_lacks_and_is_named() -> None:
    made = _merged(vmi(labels={"size": "small"}), preset("small", _SMALL, size="small"))
    assert made["spec"]["domain"]["cpu"] == {"cores": 2}
    assert made["spec"]["domain"]["resources"] == {"requests": {"memory": "64M"}}
    assert made["metadata"]["annotations"] == {"virtualmachinepreset.kubevirt.io/small": "kubevirt.io/v1"}


def test_what_the_vmi_says_itself_stays() -> None:
    own = vmi({"domain": {"cpu": {"cores": 4}}}, labels={"size": "small"})
    made = _merged(own, preset("small", {"cpu": {"cores": 2}}, size="small"))
    assert made["spec"]["domain"]["cpu"] == {"cores": 4}
    assert "annotations" not in made["metadata"]


def test_a_clock_runs_on_one_time() -> None:
    own = vmi({"domain": {"clock": {"timezone": "Europe/Berlin"}}}, labels={"a": "b"})
    made = _merged(own, preset("utc", {"clock": {"utc": {}, "timer": {"pit": {}}}}, a="b"))
    assert made["spec"]["domain"]["clock"] == {"timezone": "Europe/Berlin", "timer": {"pit": {}}}


def test_other_labels_and_the_mark_of_exclusion_keep_presets_away() -> None:
    small = preset("small", _SMALL, size="small")
    assert matching(vmi(labels={"size": "large"}), [small]) == ()
    assert matching(vmi(labels={"size": "small"}, annotations={EXCLUDED: "true"}), [small]) == ()
    assert matching(vmi(labels={"size": "small"}), [small]) == (small,)


def test_merging_twice_changes_nothing_and_a_preset_is_not_changed() -> None:
    small = preset("small", _SMALL, size="small")
    once = _merged(vmi(labels={"size": "small"}), small)
    once["spec"]["domain"]["cpu"]["cores"] = 3
    assert small["spec"]["domain"]["cpu"] == {"cores": 2}
    twice = _merged(once, small)
    assert twice["spec"]["domain"]["cpu"] == {"cores": 3}
