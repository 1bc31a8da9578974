"""Names, labels and annotations."""

import pytest

from virtdeck.crds.names import (
    causes_of_annotations,
    causes_of_labels,
    faults_of_label,
    faults_of_path_segment,
    faults_of_qualified_name,
    faults_of_service_name,
    faults_of_subdomain,
    generate_name,
)


@pytest.mark.parametrize("name", ["a", "a-b", "a.b.c", "0", "a" * 253])
def test_good_subdomain(name: str) -> None:
    assert faults_of_subdomain(name) == []


@pytest.mark.parametrize("name", ["", "A", "a_b", "-a", "a-", "a..b", "a\n", "ä", "a/b", "a" * 254])
def test_bad_subdomain(name: str) -> None:
    assert faults_of_subdomain(name)


def test_too_long_name_says_how_long_it_may_be() -> None:
    assert faults_of_subdomain("a" * 254) == ["must be no more than 253 characters"]
    assert faults_of_label("a" * 64) == ["must be no more than 63 characters"]


def test_namespaces_have_no_dots_and_services_begin_with_a_letter() -> None:
    assert faults_of_label("a.b")
    assert faults_of_service_name("1a")
    assert faults_of_service_name("a1") == []


def test_rbac_names_may_hold_colons_but_no_slash() -> None:
    assert faults_of_path_segment("system:node") == []
    assert faults_of_path_segment("a/b") == ["may not contain '/'"]
    assert faults_of_path_segment("..") == ["may not be '..'"]


@pytest.mark.parametrize("key", ["a", "example.com/a", "A.b_c-1"])
def test_good_qualified_name(key: str) -> None:
    assert faults_of_qualified_name(key) == []


@pytest.mark.parametrize("key", ["", "/a", "a/", "a/b/c", "Example.com/a", "a b", "a" * 64])
def test_bad_qualified_name(key: str) -> None:
    assert faults_of_qualified_name(key)


def test_label_causes_name_the_field_and_the_value() -> None:
    causes = causes_of_labels({"ok": "fine", "bad key": "bad value!"}, "metadata.labels")
    assert [cause.field for cause in causes] == ["metadata.labels"] * 2
    assert causes[1].message.startswith('Invalid value: "bad value!": a valid label must be')


def test_annotations_may_be_long_but_not_endless() -> None:
    assert causes_of_annotations({"a": "x" * 200_000}, "metadata.annotations") == []
    causes = causes_of_annotations({"a": "x" * 300_000}, "metadata.annotations")
    assert causes[0].reason == "FieldValueTooLong"


def test_generated_name_fits_into_a_label() -> None:
    assert len(generate_name("x" * 100)) == 63
    assert generate_name("a-") != generate_name("a-")
