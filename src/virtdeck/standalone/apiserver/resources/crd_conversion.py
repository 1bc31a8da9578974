"""How a CRD converts its objects between versions."""

from collections.abc import Iterator
from typing import Any

from virtdeck.basis.errors import Cause
from virtdeck.standalone.apiserver.resources.kinds.webhook_checks import causes_of_client
from virtdeck.standalone.apiserver.resources.rules import required, unsupported

_STRATEGIES = ("None", "Webhook")


def causes_of_conversion(conversion: Any) -> Iterator[Cause]:
    """What is wrong with ``spec.conversion``."""
    strategy = conversion.get("strategy") or ""
    path = "spec.conversion"
    if strategy not in _STRATEGIES:
        yield (
            unsupported(f"{path}.strategy", strategy, _STRATEGIES)
            if strategy
            else required(f"{path}.strategy")
        )
        return
    webhook = conversion.get("webhook")
    if strategy == "None":
        if webhook:
            text = "Forbidden: should not be set when strategy is not set to Webhook"
            yield Cause(f"{path}.webhook", text, "FieldValueForbidden")
        return
    if not webhook:
        text = "Required value: required when strategy is set to Webhook"
        yield Cause(f"{path}.webhook", text, "FieldValueRequired")
        return
    yield from causes_of_client(webhook.get("clientConfig") or {}, f"{path}.webhook.clientConfig")
    versions = webhook.get("conversionReviewVersions") or []
    if not versions:
        yield required(f"{path}.webhook.conversionReviewVersions")
    elif "v1" not in versions:
        text = f"Invalid value: {versions}: must include at least one of v1"
        yield Cause(f"{path}.webhook.conversionReviewVersions", text)
