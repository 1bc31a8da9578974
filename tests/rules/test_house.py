"""The rules of the house that a program can check."""

import ast
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "virtdeck"
STORE_ROOMS = {"utils", "util", "helpers", "helper", "common", "misc", "manager"}


def tracked(pattern: str) -> list[Path]:
    answer = subprocess.run(
        ["git", "ls-files", pattern], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return [path for line in answer.stdout.splitlines() if (path := ROOT / line).exists()]


def modules() -> list[Path]:
    return [path for path in tracked("src/virtdeck/**.py") if "vendor" not in path.parts]


def test_no_source_file_outgrows_400_lines() -> None:
    long = {
        str(path.relative_to(SOURCE)): lines
        for path in modules()
        if (lines := len(path.read_text().splitlines())) > 400
    }
    assert long == {}


def test_every_module_says_in_its_first_line_what_it_is() -> None:
    mute = [
        str(path.relative_to(ROOT))
        for path in modules()
        if path.read_text().strip() and not ast.get_docstring(ast.parse(path.read_text()))
    ]
    assert mute == []


def test_no_file_is_a_store_room() -> None:
    assert [str(path) for path in modules() if path.stem in STORE_ROOMS] == []


def asserts(path: Path) -> Iterator[int]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Assert):
            yield node.lineno


def test_product_code_never_checks_with_assert() -> None:
    """``python -O`` removes them, and with them the check."""
    assert {str(path): lines for path in modules() if (lines := list(asserts(path)))} == {}


@pytest.mark.parametrize(
    "forbidden", ["asyncio.create_task(", "asyncio.gather(", "shell=True", "import pickle"]
)
def test_forbidden_calls_are_nowhere(forbidden: str) -> None:
    assert [str(path.relative_to(ROOT)) for path in modules() if forbidden in path.read_text()] == []


def test_every_dependency_says_why_it_is_there() -> None:
    lines = (ROOT / "pyproject.toml").read_text().splitlines()
    start = lines.index("dependencies = [")
    listed = [line for line in lines[start + 1 : lines.index("]", start)] if line.strip()]
    assert [line for line in listed if "#" not in line] == []


def test_lock_files_pin_every_package_with_hashes() -> None:
    for name in ("requirements.lock", "requirements-dev.lock"):
        text = (ROOT / name).read_text()
        pins = [line for line in text.splitlines() if "==" in line and not line.startswith((" ", "#"))]
        assert pins
        assert text.count("\n    --hash=sha256:") >= len(pins)
