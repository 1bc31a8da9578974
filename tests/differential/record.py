"""The real server's answers, kept in record/: a line of JSON for each step, a file for each area."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

RECORD = Path(__file__).parent / "record"


def read_record(area: str) -> dict[str, Any]:
    """Step name to answer; empty when the area was never recorded."""
    path = RECORD / f"{area}.jsonl"
    if not path.exists():
        return {}
    lines = (json.loads(line) for line in path.read_text().splitlines())
    return {line.pop("step"): line for line in lines}


def write_record(area: str, answers: Mapping[str, Any]) -> None:
    """The file holds these answers."""
    RECORD.mkdir(exist_ok=True)
    lines = [
        json.dumps({"step": name, **answer}, ensure_ascii=False, separators=(",", ":"))
        for name, answer in answers.items()
    ]
    (RECORD / f"{area}.jsonl").write_text("\n".join(lines) + "\n")
