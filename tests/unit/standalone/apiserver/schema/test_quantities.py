"""Quantities in the one form that Kubernetes stores."""

from typing import Any

import pytest

from virtdeck.basis.errors import Invalid
from virtdeck.standalone.apiserver.schema.quantities import canonical, canonicalise


@pytest.mark.parametrize(
    ("given", "stored"),
    [
        ("0.5", "500m"),
        ("1024Mi", "1Gi"),
        ("1.5Gi", "1536Mi"),
        ("1000m", "1"),
        ("1000", "1k"),
        ("1500", "1500"),
        ("1e3", "1e3"),
        ("0.5Ki", "512"),
        ("1025Ki", "1025Ki"),
        ("0.1Gi", "107374182400m"),
        ("100M", "100M"),
        ("0.0", "0"),
        ("-0.5", "-500m"),
        ("0.1n", "1n"),
    ],
)
def test_canonical_form(given: str, stored: str) -> None:
    assert canonical(given) == stored
    assert canonical(stored) == stored


def test_quantities_are_found_wherever_a_type_has_them() -> None:
    resources: Any = {"limits": {"cpu": 2, "memory": "1024Mi"}}
    pod: Any = {"spec": {"containers": [{"name": "c", "resources": resources}], "overhead": {"cpu": "0.25"}}}
    canonicalise(pod, "core.v1.Pod")
    assert resources["limits"] == {"cpu": "2", "memory": "1Gi"}
    assert pod["spec"]["overhead"] == {"cpu": "250m"}


def test_what_is_no_quantity_is_named_by_its_field() -> None:
    claim: Any = {"spec": {"resources": {"requests": {"storage": "lots"}}}}
    with pytest.raises(Invalid, match=r"spec\.resources\.requests\.storage"):
        canonicalise(claim, "core.v1.PersistentVolumeClaim")
