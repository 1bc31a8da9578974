"""Ages, JSON paths and the words of pods."""

from typing import Any

import pytest

from virtdeck.standalone.apiserver.printing.columns import human_duration
from virtdeck.standalone.apiserver.printing.json_path import find
from virtdeck.standalone.apiserver.printing.pods import pod_reason


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (-5, "<invalid>"),
        (-1, "0s"),
        (119, "119s"),
        (120, "2m"),
        (545, "9m5s"),
        (600, "10m"),
        (10799, "179m"),
        (10800, "3h"),
        (27000, "7h30m"),
        (28800, "8h"),
        (172799, "47h"),
        (172800, "2d"),
        (176400, "2d1h"),
        (691200, "8d"),
        (62985600, "729d"),
        (63072000, "2y"),
        (63158400, "2y1d"),
    ],
)
def test_age_is_as_kubectl_says_it(seconds: int, text: str) -> None:
    assert human_duration(seconds) == text


OBJ = {"a": {"b": [{"t": "x", "v": 1}, {"t": "y", "v": 2}], "d.e": 3, "f-g": True}}


@pytest.mark.parametrize(
    ("path", "found"),
    [
        (".a.b[0].v", [1]),
        (".a.b[-1].v", [2]),
        (".a.b[*].v", [1, 2]),
        (".a.b[?(@.t=='y')].v", [2]),
        ('.a.b[?(@.t=="z")].v', []),
        (r".a.d\.e", [3]),
        (".a['f-g']", [True]),
        ("{.a.f-g}", [True]),
        (".none.b", []),
        (".a.b[9]", []),
    ],
)
def test_json_path(path: str, found: list[Any]) -> None:
    assert find(OBJ, path) == found


def status(**state: Any) -> dict[str, Any]:
    return {"containerStatuses": [{"ready": False, "state": state}], "phase": "Running"}


@pytest.mark.parametrize(
    ("pod", "word"),
    [
        ({"status": {"phase": "Pending"}}, "Pending"),
        ({"status": {"phase": "Failed", "reason": "Evicted"}}, "Evicted"),
        ({"status": status(waiting={"reason": "ErrImagePull"})}, "ErrImagePull"),
        ({"status": status(terminated={"exitCode": 3})}, "ExitCode:3"),
        ({"status": status(terminated={"signal": 9})}, "Signal:9"),
        ({"status": status(terminated={"exitCode": 0, "reason": "Completed"})}, "Completed"),
        ({"status": {"initContainerStatuses": [{"state": {"running": {}}}], "phase": "Pending"}}, "Init:0/1"),
        ({"status": {"phase": "Running"}, "metadata": {"deletionTimestamp": "t"}}, "Terminating"),
    ],
)
def test_status_column_of_pods(pod: dict[str, Any], word: str) -> None:
    assert pod_reason({"metadata": {}, **pod}) == word
