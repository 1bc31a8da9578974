"""The image store as the console sees it."""

import json
from pathlib import Path

from virtdeck.gateway.console.views.images import image_list


def test_images_are_listed_by_name(tmp_path: Path) -> None:
    (tmp_path / "names").mkdir()
    for name in ("b:1", "a:1"):
        (tmp_path / "names" / f"{name}.json").write_text(
            json.dumps({"name": name, "digest": "sha256:00", "size": 1 << 20})
        )
    (tmp_path / "names" / "broken.json").write_text("{")
    found = image_list(tmp_path)
    assert [image.name for image in found.images] == ["a:1", "b:1"]
    assert found.images[0].size == "1 MiB"


def test_a_store_that_is_elsewhere_or_empty_is_told_apart(tmp_path: Path) -> None:
    assert image_list(None).why_not == "elsewhere"
    assert image_list(tmp_path).why_not == ""


def test_the_image_for_trying_things_out_is_suggested_first(tmp_path: Path) -> None:
    (tmp_path / "names").mkdir()
    for name in ("virtdeck/demo-kernel:latest", "virtdeck/demo:latest"):
        (tmp_path / "names" / f"{name.replace('/', '%2F')}.json").write_text(json.dumps({"name": name}))
    assert image_list(tmp_path).suggested == "virtdeck/demo:latest"
