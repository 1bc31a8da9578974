"""Webhook configurations and APIServices."""

import base64

from virtdeck.basis.errors import Cause
from virtdeck.crds.names import invalid_value
from virtdeck.standalone.apiserver.resources.kinds.webhook_checks import causes_of_webhooks
from virtdeck.standalone.apiserver.resources.rules import Obj, Rules, required

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
        spec, name = obj["spec"], obj["metadata"]["name"]
        wanted = f"{spec.get('version', '')}.{spec.get('group', '')}"
        causes = []
        if name != wanted:
            causes.append(
                invalid_value("metadata.name", name, f'must be `spec.version+"."+spec.group`: "{wanted}"')
            )
        for field, most in (("groupPriorityMinimum", 20000), ("versionPriority", 1000)):
            found = spec.get(field) or 0
            if not 0 < found <= most:
                text = f"Invalid value: {found}: must be positive and less than {most}"
                causes.append(Cause(f"spec.{field}", text))
        return causes + (_causes_of_service(spec) if spec.get("service") else _causes_of_local(spec))


def _causes_of_service(spec: Obj) -> list[Cause]:
    service = spec["service"]
    causes = [required(f"spec.service.{name}") for name in ("namespace", "name") if not service.get(name)]
    port = service.get("port", 443)
    if not 0 < port < 1 << 16:
        text = f"Invalid value: {port}: port is not valid: must be between 1 and 65535, inclusive"
        causes.append(Cause("spec.service.port", text))
    if spec.get("insecureSkipTLSVerify") and spec.get("caBundle"):
        text = "Invalid value: true: may not be true if caBundle is present"
        causes.append(Cause("spec.insecureSkipTLSVerify", text))
    return causes


def _causes_of_local(spec: Obj) -> list[Cause]:
    causes = []
    if spec.get("caBundle"):
        size = len(base64.b64decode(spec["caBundle"]))
        text = f'Invalid value: "{size} bytes": local APIServices may not have a caBundle'
        causes.append(Cause("spec.caBundle", text))
    if spec.get("insecureSkipTLSVerify"):
        text = "Invalid value: true: local APIServices may not have insecureSkipTLSVerify"
        causes.append(Cause("spec.insecureSkipTLSVerify", text))
    return causes
