"""Webhooks as their configurations describe them, parsed. Pure."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from virtdeck.standalone.apiserver.admission.matching import Criteria, parse_criteria
from virtdeck.standalone.apiserver.objects.ca_bundle import decode_bundle

Obj = dict[str, Any]
T = TypeVar("T")


@dataclass(frozen=True)
class Webhook:
    """One webhook of a configuration. It has no side effects on a dry run: others are not accepted."""

    name: str
    configuration: str
    client: Obj
    ca: bytes
    criteria: Criteria
    conditions: tuple[Obj, ...]
    fails_closed: bool
    timeout_seconds: float
    reinvoked: bool
    review_versions: tuple[str, ...]
    _compiled: list[Any] = field(default_factory=list, compare=False, repr=False)

    def compiled(self, make: Callable[[tuple[Obj, ...]], T]) -> T:
        """The conditions as ``make`` makes them, once."""
        if not self._compiled:
            self._compiled.append(make(self.conditions))
        found: T = self._compiled[0]
        return found


def parse_webhooks(configuration: Obj) -> list[Webhook]:
    """The webhooks of a Mutating- or ValidatingWebhookConfiguration."""
    name = configuration["metadata"]["name"]
    return [_parse(webhook, name) for webhook in configuration.get("webhooks") or ()]


def _parse(given: Obj, configuration: str) -> Webhook:
    client = given.get("clientConfig") or {}
    return Webhook(
        name=given["name"],
        configuration=configuration,
        client=client,
        ca=decode_bundle(client.get("caBundle") or ""),
        criteria=parse_criteria(given, rules="rules"),
        conditions=tuple(given.get("matchConditions") or ()),
        fails_closed=given.get("failurePolicy", "Fail") != "Ignore",
        timeout_seconds=float(given.get("timeoutSeconds") or 10),
        reinvoked=given.get("reinvocationPolicy") == "IfNeeded",
        review_versions=tuple(given.get("admissionReviewVersions") or ("v1",)),
    )
