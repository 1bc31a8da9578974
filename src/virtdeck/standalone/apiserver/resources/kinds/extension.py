"""Webhook configurations and APIServices."""

from virtdeck.basis.errors import Cause
from virtdeck.standalone.apiserver.resources.kinds.webhook_checks import causes_of_webhooks
from virtdeck.standalone.apiserver.resources.rules import Obj, Rules

_WEBHOOK_DEFAULTS = {"failurePolicy": "Fail", "matchPolicy": "Equivalent", "timeoutSeconds": 10}


class WebhookRules(Rules):
    """Webhook configurations: Kubernetes' defaults for each webhook."""

    has_generation = True

    def __init__(self, mutating: bool) -> None:
        self._mutating = mutating

    def default(self, obj: Obj) -> None:
        for webhook in obj.get("webhooks") or ():
            for name, value in _WEBHOOK_DEFAULTS.items():
                webhook.setdefault(name, value)
            webhook.setdefault("namespaceSelector", {})
            webhook.setdefault("objectSelector", {})
            if self._mutating:
                webhook.setdefault("reinvocationPolicy", "Never")
            for rule in webhook.get("rules") or ():
                rule.setdefault("scope", "*")
            if service := (webhook.get("clientConfig") or {}).get("service"):
                service.setdefault("port", 443)

    def causes(self, obj: Obj) -> list[Cause]:
        return list(causes_of_webhooks(obj.get("webhooks")))


class ApiServiceRules(Rules):
    """APIServices: their name is their version and group."""

    has_status = True

    def default(self, obj: Obj) -> None:
        if service := obj.setdefault("spec", {}).get("service"):
            service.setdefault("port", 443)

    def causes(self, obj: Obj) -> list[Cause]:
        spec = obj["spec"]
        wanted = f"{spec.get('version', '')}.{spec.get('group', '')}"
        if obj["metadata"]["name"] == wanted:
            return []
        text = (
            f'Invalid value: "{obj["metadata"]["name"]}": must be `spec.version+"."+spec.group`: "{wanted}"'
        )
        return [Cause("metadata.name", text)]
