"""Static files: named by content, kept for ever, packed."""

import gzip
import hashlib
import json
from pathlib import Path

import pytest

import virtdeck.web
from virtdeck.web.assets import KEEP, Assets

VENDOR = Path(virtdeck.web.__file__).parent / "vendor"
GZIP = {b"accept-encoding": b"gzip, br"}


def test_every_vendored_file_is_the_one_that_was_checked() -> None:
    records = json.loads((VENDOR / "vendor.json").read_text())
    wanted = {name: digest for record in records for name, digest in record["files"].items()}
    found = {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in VENDOR.iterdir()
        if path.name != "vendor.json"
    }
    assert found == wanted


def test_every_vendored_package_comes_with_its_licence() -> None:
    for record in json.loads((VENDOR / "vendor.json").read_text()):
        assert record["licence"]
        assert any("LICENSE" in name for name in record["files"])


def test_another_content_has_another_name() -> None:
    before, after = Assets({"a.css": b"one"}), Assets({"a.css": b"two"})
    assert before.path("a.css") != after.path("a.css")


def test_a_file_under_its_own_name_is_kept_for_ever() -> None:
    assets = Assets({"a.css": b"body{}"})
    answer = assets.answer(f"{assets.digest}/a.css", {})
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == KEEP
    assert answer.headers["content-type"] == "text/css; charset=utf-8"


def test_a_page_of_an_older_version_gets_the_file_but_not_to_keep() -> None:
    answer = Assets({"a.css": b"body{}"}).answer("0123456789abcdef/a.css", {})
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-cache"


def test_large_files_are_packed_for_browsers_that_take_it() -> None:
    assets = Assets({"a.js": b"x" * 2000})
    answer = assets.answer(f"{assets.digest}/a.js", GZIP)
    assert answer.headers["content-encoding"] == "gzip"
    assert gzip.decompress(bytes(answer.body)) == b"x" * 2000


@pytest.mark.parametrize(
    "path", ["", "x", "{digest}/../settings.py", "{digest}/vendor/vendor_update.py", "//etc/passwd"]
)
def test_nothing_else_is_served(path: str) -> None:
    assets = Assets()
    assert assets.answer(path.format(digest=assets.digest), {}).status_code == 404


def test_ordinary_pages_load_less_script_than_the_budget() -> None:
    assert len(Assets().packed("console.js")) <= 25_000
    assert len(Assets().packed("console.css")) <= 12_000


def test_no_file_asks_another_host_for_anything() -> None:
    assets = Assets()
    own = {
        name: assets.read(name) for name in assets if not name.startswith("vendor/") and name != "console.js"
    }
    assert len(own) > 5
    assert not [name for name, body in own.items() if b"https://" in body or b"//cdn" in body]
