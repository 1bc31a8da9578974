"""The CRD manifests beside the types are the ones that the types make."""

from typing import Any

import pytest

from virtdeck.crds.kinds import CUSTOM, Kind
from virtdeck.crds.manifests import __main__ as generator


@pytest.mark.parametrize("kind", CUSTOM, ids=lambda kind: kind.kind)
def test_the_file_is_what_the_generator_writes(kind: Kind[Any]) -> None:
    written = generator.path(kind).read_text(encoding="utf-8")
    assert written == generator.text(kind), "run: python -m virtdeck.crds.manifests"
