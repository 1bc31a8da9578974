"""What is wrong with webhooks and with the rules by which webhooks and policies choose writes."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from virtdeck.basis.errors import Cause
from virtdeck.crds.names import faults_of_subdomain
from virtdeck.standalone.apiserver.resources.rules import Obj, required, unsupported

_WORDS: dict[str, tuple[str, ...]] = {
    "failurePolicy": ("Fail", "Ignore"),
    "matchPolicy": ("Equivalent", "Exact"),
    "sideEffects": ("None", "NoneOnDryRun"),
    "reinvocationPolicy": ("IfNeeded", "Never"),
}
_OPERATIONS = ("*", "CONNECT", "CREATE", "DELETE", "UPDATE")
_SCOPES = ("*", "Cluster", "Namespaced")
_REVIEWS = ("v1", "v1beta1")
_LONGEST_SECONDS = 30


def causes_of_webhooks(webhooks: Any) -> Iterator[Cause]:
    """Every fault of a configuration's webhooks."""
    seen = set()
    for index, webhook in enumerate(webhooks or ()):
        path, name = f"webhooks[{index}]", webhook.get("name") or ""
        yield from causes_of_full_name(name, f"{path}.name")
        if name and name in seen:
            yield Cause(f"{path}.name", f'Duplicate value: "{name}"', "FieldValueDuplicate")
        seen.add(name)
        yield from _causes_of_words(webhook, path)
        for place, rule in enumerate(webhook.get("rules") or ()):
            yield from causes_of_rule(rule, f"{path}.rules[{place}]")
        if not webhook.get("clientConfig"):
            yield required(f"{path}.clientConfig")
        else:
            yield from causes_of_client(webhook["clientConfig"], f"{path}.clientConfig")
        if conditions := webhook.get("matchConditions"):
            # CEL's rooms are entered by those alone who have expressions.
            from virtdeck.standalone.apiserver.schema.expressions import causes_of_conditions

            yield from causes_of_conditions(conditions, f"{path}.matchConditions")


def causes_of_full_name(name: str, path: str) -> Iterator[Cause]:
    """What is wrong with a name that must be a domain of its own."""
    if not name:
        yield required(path)
        return
    for fault in faults_of_subdomain(name):
        yield Cause(path, f'Invalid value: "{name}": {fault}')
    if len(name.split(".")) < 3:
        why = "should be a domain with at least three segments separated by dots"
        yield Cause(path, f'Invalid value: "{name}": {why}')


def _causes_of_words(webhook: Obj, path: str) -> Iterator[Cause]:
    if not webhook.get("sideEffects"):
        yield required(f"{path}.sideEffects")
    for field, known in _WORDS.items():
        if (given := webhook.get(field)) and given not in known:
            yield unsupported(f"{path}.{field}", given, known)
    seconds = webhook.get("timeoutSeconds")
    if seconds is not None and not 1 <= seconds <= _LONGEST_SECONDS:
        why = f"the timeout value must be between 1 and {_LONGEST_SECONDS} seconds"
        yield Cause(f"{path}.timeoutSeconds", f"Invalid value: {seconds}: {why}")
    versions = webhook.get("admissionReviewVersions") or []
    if not versions:
        text = f"Required value: must specify one of {', '.join(_REVIEWS)}"
        yield Cause(f"{path}.admissionReviewVersions", text, "FieldValueRequired")
    elif not set(versions) & set(_REVIEWS):
        text = f"Invalid value: {versions}: must include at least one of {', '.join(_REVIEWS)}"
        yield Cause(f"{path}.admissionReviewVersions", text)


def causes_of_rule(rule: Obj, path: str) -> Iterator[Cause]:
    """What is wrong with one rule of a webhook or policy."""
    for field in ("operations", "apiGroups", "apiVersions", "resources"):
        given = rule.get(field) or []
        if not given:
            yield required(f"{path}.{field}")
        elif field != "resources" and "*" in given and len(given) > 1:
            text = f"Invalid value: {given}: if '*' is present, must not specify other values"
            yield Cause(f"{path}.{field}", text)
    for index, operation in enumerate(rule.get("operations") or ()):
        if operation not in _OPERATIONS:
            yield unsupported(f"{path}.operations[{index}]", operation, _OPERATIONS)
    for field in ("apiVersions", "resources"):
        for index, value in enumerate(rule.get(field) or ()):
            if not value:
                yield required(f"{path}.{field}[{index}]")
    if (scope := rule.get("scope")) and scope not in _SCOPES:
        yield unsupported(f"{path}.scope", scope, _SCOPES)


def causes_of_client(config: Obj, path: str) -> Iterator[Cause]:
    """What is wrong with a ``clientConfig``: one address, and one that can be trusted."""
    url, service = config.get("url"), config.get("service")
    if bool(url) == bool(service):
        text = "Required value: exactly one of url or service is required"
        yield Cause(f"{path}", text, "FieldValueRequired")
    elif url:
        yield from _causes_of_url(url, f"{path}.url")
    elif service:
        yield from (
            required(f"{path}.service.{name}") for name in ("namespace", "name") if not service.get(name)
        )
        place = service.get("path") or ""
        if place and (not place.startswith("/") or "//" in place):
            yield Cause(
                f"{path}.service.path", f'Invalid value: "{place}": must be a path that begins with a /'
            )
        if not 1 <= service.get("port", 443) <= 65535:
            why = "port is not valid: must be between 1 and 65535, inclusive"
            yield Cause(f"{path}.service.port", f"Invalid value: {service['port']}: {why}")


def _causes_of_url(url: str, path: str) -> Iterator[Cause]:
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError as fault:
        yield Cause(path, f'Invalid value: "{url}": url must be a valid URL: {fault}')
        return
    if parts.scheme != "https":
        yield Cause(path, f"Invalid value: \"{parts.scheme}\": 'https' is the only allowed URL scheme")
    if not parts.hostname:
        yield Cause(path, f'Invalid value: "{url}": host must be specified')
    for name, given in (("user", parts.username), ("fragment", parts.fragment), ("query", parts.query)):
        if given:
            yield Cause(path, f'Invalid value: "{given}": {name} is not permitted in the url')
