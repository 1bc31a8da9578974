"""The comparison itself: what is masked, what counts as different, what a step may say."""

import pytest
from tests.differential.compare import Accepted, differences, unaccepted
from tests.differential.masks import Masks
from tests.differential.paths import find, first
from tests.differential.steps import Kubectl, Request, Watch, parse_area

UID = "27ac8385-9d2c-4c4f-91a2-f9b702c335b3"


def test_times_uids_versions_and_generated_names_are_masked() -> None:
    meta = {
        "generateName": "a-",
        "name": "a-bcdfg",
        "uid": UID,
        "resourceVersion": "12",
        "creationTimestamp": "2026-11-30T20:53:23Z",
    }
    assert Masks({}).value(meta) == {
        "generateName": "a-",
        "name": "a-<generated>",
        "uid": "<uid>",
        "resourceVersion": "<version>",
        "creationTimestamp": "<time>",
    }


def test_kept_values_are_shown_by_their_names() -> None:
    masks = Masks({"first": "12", "uid-a": UID})
    assert masks.value({"resourceVersion": "12"}) == {"resourceVersion": "<first>"}
    assert masks.value({"message": f"not {UID}"}) == {"message": "not <uid-a>"}
    assert masks.value({"message": "not 12"}) == {"message": "not 12"}


def test_versions_that_say_something_stay() -> None:
    assert Masks({}).value({"resourceVersion": "0"}) == {"resourceVersion": "0"}


def test_printed_ages_and_widths_are_masked() -> None:
    assert Masks({}).printed("NAME   AGE\na-b    3m12s \n") == "NAME  AGE\na-b  <age>\n"


def test_causes_are_compared_in_any_order() -> None:
    def status(*fields: str) -> dict[str, object]:
        text = "x is invalid: [" + ", ".join(fields) + "]"
        return {"message": text, "details": {"causes": [{"field": field} for field in fields]}}

    assert Masks({}).value(status("a", "b")) == Masks({}).value(status("b", "a"))
    assert Masks({}).value(status("a")) != Masks({}).value(status("b"))


def test_differences_are_told_by_their_paths() -> None:
    found = differences("area/step", {"a": [1, {"b": "x"}], "c": None}, {"a": [1, {"b": "y"}], "d": 0})
    assert [(one.path, one.real, one.ours) for one in found] == [
        ("a.1.b", "x", "y"),
        ("c", None, "(absent)"),
        ("d", "(absent)", 0),
    ]


def test_a_truth_is_no_number() -> None:
    assert differences("a/b", {"x": 1}, {"x": True})


def test_accepted_are_those_that_fit_in_everything() -> None:
    [found] = differences("lists/a page", {"code": 500}, {"code": 400})
    fitting = Accepted("why", where="lists/*", path="code", real="^500$", ours="^400$")
    others = [
        Accepted("why", where="watches/*"),
        Accepted("why", path="body"),
        Accepted("why", real="^501$"),
        Accepted("why", ours="^40$"),
    ]
    assert unaccepted([found], [fitting]) == []
    assert unaccepted([found], others) == [found]


def test_paths_reach_into_lists_and_dotted_keys() -> None:
    value = {"items": [{"a.b": 1}, {"a.b": 2}]}
    assert find(value, r"items.*.a\.b") == [1, 2]
    assert first(value, r"items.1.a\.b") == 2
    assert first(value, "items.9") is None


def test_steps_are_what_their_action_says() -> None:
    area = parse_area(
        "a",
        """
        each_kubectl: true
        users: {bob: [devs]}
        steps:
          - {step: one, patch: /x, type: merge, body: {a: 1}, as: bob}
          - {step: two, watch: /y, events: 1, while: [{delete: /z}]}
          - {step: three, kubectl: get pods}
        """,
    )
    one, two, three = area.steps
    assert isinstance(one, Request)
    assert one.headers == {"Content-Type": "application/merge-patch+json"}
    assert isinstance(two, Watch)
    assert [step.path for step in two.during] == ["/z"]
    assert isinstance(three, Kubectl)
    assert area.users == {"bob": ("devs",)}


@pytest.mark.parametrize(
    "steps", ["[{step: a, get: /x, boddy: 1}]", "[{step: a, get: /x}, {step: a, get: /y}]"]
)
def test_what_no_step_says_is_refused(steps: str) -> None:
    with pytest.raises(ValueError, match=r"step"):
        parse_area("a", f"steps: {steps}")
