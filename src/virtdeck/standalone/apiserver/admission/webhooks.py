"""Asks the webhooks that a write concerns: mutating ones in order, validating ones at once."""

from typing import Any

import anyio
import structlog

from virtdeck.standalone.apiserver.admission.webhook_call import CallFailed, Verdict, call_webhook, review_of
from virtdeck.standalone.apiserver.admission.webhook_rules import Subject, Webhook, concerns, parse_webhooks
from virtdeck.standalone.apiserver.aggregation.upstream import Upstreams
from virtdeck.standalone.apiserver.patching.json_patch import json_patch
from virtdeck.standalone.apiserver.problems import StatusError, bad_request, internal
from virtdeck.standalone.apiserver.storage.shelf import Shelf
from virtdeck.standalone.apiserver.storage.store import Store
from virtdeck.standalone.apiserver.storage.timeline import Event
from virtdeck.standalone.apiserver.verbs.attributes import Attributes

log = structlog.get_logger()

Obj = dict[str, Any]

_GROUP = "admissionregistration.k8s.io"
# As in Kubernetes: what configures admission is not itself subject to it, or nobody could repair it.
_EXEMPT = (_GROUP, "authentication.k8s.io", "authorization.k8s.io")


class Webhooks:
    """The configured webhooks; parsed again after a configuration changed."""

    def __init__(self, store: Store, upstreams: Upstreams) -> None:
        self._store = store
        self._upstreams = upstreams
        self._shelves = {
            "mutate": store.shelf(f"{_GROUP}/mutatingwebhookconfigurations"),
            "validate": store.shelf(f"{_GROUP}/validatingwebhookconfigurations"),
        }
        self._parsed: dict[str, list[Webhook]] = {}
        store.listen(self._hear)

    def _hear(self, shelf: Shelf, _event: Event) -> None:
        if shelf in self._shelves.values():
            self._parsed.clear()

    def _webhooks(self, phase: str) -> list[Webhook]:
        if phase not in self._parsed:
            shelf = self._shelves[phase]
            self._parsed[phase] = [
                webhook for row in shelf.in_order(None) for webhook in parse_webhooks(row.decode())
            ]
        return self._parsed[phase]

    def _concerned(
        self, phase: str, attributes: Attributes, obj: Obj | None, old: Obj | None
    ) -> list[Webhook]:
        if attributes.group in _EXEMPT:
            return []
        subject = self._subject(attributes, obj, old)
        return [webhook for webhook in self._webhooks(phase) if concerns(webhook, subject)]

    def _subject(self, attributes: Attributes, obj: Obj | None, old: Obj | None) -> Subject:
        resource = attributes.resource
        labels = tuple((one["metadata"].get("labels") or {}) for one in (obj, old) if one is not None)
        return Subject(
            resource.group,
            resource.version,
            resource.plural,
            attributes.subresource,
            attributes.operation,
            resource.namespaced,
            self._namespace_labels(attributes, labels),
            labels,
        )

    def _namespace_labels(
        self, attributes: Attributes, labels: tuple[dict[str, str], ...]
    ) -> dict[str, str] | None:
        if attributes.plural == "namespaces" and not attributes.group:
            return labels[0] if labels else {}
        if not attributes.resource.namespaced:
            return None
        row = self._store.shelf("/namespaces").get(("", attributes.namespace))
        return row.labels if row is not None else {}

    async def mutate(self, attributes: Attributes, obj: Obj, old: Obj | None) -> Obj:
        """The object as all mutating webhooks leave it. Raises: StatusError."""
        concerned = self._concerned("mutate", attributes, obj, old)
        changed_after: set[str] = set()
        for webhook in concerned:
            before = obj
            obj = await self._mutate_by(webhook, attributes, obj, old)
            if obj != before:
                # Those that spoke before and want to hear of later changes are asked once more below.
                changed_after = {one.name for one in concerned[: concerned.index(webhook)] if one.reinvoked}
        for webhook in concerned:
            if webhook.name in changed_after:
                obj = await self._mutate_by(webhook, attributes, obj, old)
        return obj

    async def _mutate_by(self, webhook: Webhook, attributes: Attributes, obj: Obj, old: Obj | None) -> Obj:
        verdict = await self._ask(webhook, attributes, obj, old)
        if verdict is None or not verdict.patch:
            return obj
        try:
            patched: Obj = json_patch(obj, verdict.patch)
        except StatusError as fault:
            raise internal(
                f"admission webhook {webhook.name!r} sent a patch that fails: {fault.message}"
            ) from fault
        return patched

    async def validate(self, attributes: Attributes, obj: Obj | None, old: Obj | None) -> None:
        """Returns when every validating webhook agrees. Raises: StatusError of the first that does not."""
        concerned = self._concerned("validate", attributes, obj, old)
        if len(concerned) < 2:
            for webhook in concerned:
                await self._ask(webhook, attributes, obj, old)
            return
        faults: dict[str, StatusError] = {}

        async def ask(webhook: Webhook) -> None:
            try:
                await self._ask(webhook, attributes, obj, old)
            except StatusError as fault:
                faults[webhook.name] = fault

        async with anyio.create_task_group() as group:
            for webhook in concerned:
                group.start_soon(ask, webhook)
        for webhook in concerned:
            if webhook.name in faults:
                raise faults[webhook.name]

    async def _ask(
        self, webhook: Webhook, attributes: Attributes, obj: Obj | None, old: Obj | None
    ) -> Verdict | None:
        """The verdict; None when the webhook fails and its failure may be ignored. Raises: StatusError."""
        if attributes.dry_run and not webhook.quiet:
            raise bad_request(f'admission webhook "{webhook.name}" does not support dry run')
        try:
            verdict = await call_webhook(webhook, self._upstreams, review_of(attributes, obj, old))
        except CallFailed as fault:
            log.warning("webhook_failed", webhook=webhook.name, error=str(fault))
            if webhook.fails_closed:
                raise internal(
                    f'failed calling webhook "{webhook.name}": failed to call webhook: {fault}'
                ) from fault
            return None
        for text in verdict.warnings:
            attributes.warn(text)
        if not verdict.allowed:
            raise _denial(webhook, verdict)
        return verdict


def _denial(webhook: Webhook, verdict: Verdict) -> StatusError:
    status = verdict.status
    given = status.get("code")
    code = given if isinstance(given, int) and 400 <= given <= 599 else 403
    said = f": {status['message']}" if status.get("message") else " without explanation"
    if not status.get("message") and status.get("reason"):
        said = f": {status['reason']}"
    message = f'admission webhook "{webhook.name}" denied the request{said}'
    reason = status.get("reason") or ("Forbidden" if code == 403 else "")
    return StatusError(message, str(reason) or "Unknown", code, dict(status.get("details") or {}))
