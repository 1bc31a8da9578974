"""What names, labels and annotations may look like, with Kubernetes' sentences for what may not."""

import re
import secrets

from virtdeck.basis.errors import Cause
from virtdeck.crds.quoting import quoted

_LABEL = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?")
_LABEL_1035 = re.compile(r"[a-z]([-a-z0-9]*[a-z0-9])?")
_SUBDOMAIN = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")
_QUALIFIED = re.compile(r"([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]")
_LABEL_VALUE = re.compile(r"(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?")

_LABEL_TEXT = (
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start "
    "and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is "
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
)
_LABEL_1035_TEXT = (
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic "
    "character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for "
    "validation is '[a-z]([-a-z0-9]*[a-z0-9])?')"
)
_SUBDOMAIN_TEXT = (
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must "
    "start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is "
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
)
_QUALIFIED_TEXT = (
    "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
    "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is "
    "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
)
_QUALIFIED_WHOLE_TEXT = (
    f"a qualified {_QUALIFIED_TEXT.removesuffix(')').replace('name part', 'name')}) with an optional DNS "
    "subdomain prefix and '/' (e.g. 'example.com/MyName')"
)
_LABEL_VALUE_TEXT = (
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must "
    "start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used "
    "for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
)

# The letters that Kubernetes takes for generated names: no vowels and nothing that looks like another.
_SUFFIX_LETTERS = "bcdfghjklmnpqrstvwxz2456789"
_SUFFIX_LENGTH = 5
_LONGEST_GENERATED_BASE = 63 - _SUFFIX_LENGTH
_MOST_ANNOTATION_BYTES = 256 * 1024


def _too_long(limit: int) -> str:
    return f"must be no more than {limit} characters"


def faults_of_label(name: str) -> list[str]:
    """Sentences that say why this is no RFC 1123 label (namespaces)."""
    faults = [_too_long(63)] if len(name) > 63 else []
    return faults if _LABEL.fullmatch(name) else [*faults, _LABEL_TEXT]


def faults_of_service_name(name: str) -> list[str]:
    """Sentences that say why this is no RFC 1035 label (services)."""
    faults = [_too_long(63)] if len(name) > 63 else []
    return faults if _LABEL_1035.fullmatch(name) else [*faults, _LABEL_1035_TEXT]


def faults_of_subdomain(name: str) -> list[str]:
    """Sentences that say why this is no RFC 1123 subdomain (most objects)."""
    faults = [_too_long(253)] if len(name) > 253 else []
    return faults if _SUBDOMAIN.fullmatch(name) else [*faults, _SUBDOMAIN_TEXT]


def faults_of_path_segment(name: str) -> list[str]:
    """Sentences that say why this cannot stand in a path (RBAC objects, which take any other name)."""
    if name in (".", ".."):
        return [f"may not be '{name}'"]
    return [f"may not contain '{sign}'" for sign in "/%" if sign in name]


def faults_of_qualified_name(name: str) -> list[str]:
    """Sentences that say why this is no key of a label, annotation or finalizer."""
    if name.count("/") > 1:
        return [_QUALIFIED_WHOLE_TEXT]
    prefix, slash, last = name.rpartition("/")
    faults = []
    if slash and not prefix:
        faults.append("prefix part must be non-empty")
    elif slash:
        faults += [f"prefix part {fault}" for fault in faults_of_subdomain(prefix)]
    if not last:
        return [*faults, "name part must be non-empty", f"{_QUALIFIED_TEXT}"]
    if len(last) > 63:
        faults.append(f"name part {_too_long(63)}")
    if not _QUALIFIED.fullmatch(last):
        faults.append(_QUALIFIED_TEXT)
    return faults


def faults_of_label_value(value: str) -> list[str]:
    """Sentences that say why this is no label's value."""
    faults = [_too_long(63)] if len(value) > 63 else []
    return faults if _LABEL_VALUE.fullmatch(value) else [*faults, _LABEL_VALUE_TEXT]


def generate_name(base: str) -> str:
    """``base`` with a random end that makes it unique."""
    suffix = "".join(secrets.choice(_SUFFIX_LETTERS) for _ in range(_SUFFIX_LENGTH))
    return base[:_LONGEST_GENERATED_BASE] + suffix


def invalid_value(field: str, value: str, why: str) -> Cause:
    """A cause as Kubernetes words it for a string."""
    return Cause(field, f"Invalid value: {quoted(value)}: {why}")


def causes_of_labels(labels: dict[str, str], path: str) -> list[Cause]:
    """What is wrong with a map of labels."""
    causes = []
    for key, value in labels.items():
        causes += [invalid_value(path, key, fault) for fault in faults_of_qualified_name(key)]
        causes += [invalid_value(path, value, fault) for fault in faults_of_label_value(value)]
    return causes


def causes_of_annotations(annotations: dict[str, str], path: str) -> list[Cause]:
    """What is wrong with a map of annotations."""
    causes = []
    size = 0
    for key, value in annotations.items():
        causes += [invalid_value(path, key, fault) for fault in faults_of_qualified_name(key.lower())]
        size += len(key) + len(value)
    if size > _MOST_ANNOTATION_BYTES:
        text = f"Too long: may not be more than {_MOST_ANNOTATION_BYTES} bytes"
        causes.append(Cause(path, text, "FieldValueTooLong"))
    return causes
