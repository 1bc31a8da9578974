"""Asks the webhooks that a write concerns: mutating ones in order, validating ones at once."""

from typing import Any

import anyio
import structlog

from virtdeck.standalone.apiserver.access.rbac import Authorizer
from virtdeck.standalone.apiserver.admission.matching import Matcher, concerned
from virtdeck.standalone.apiserver.admission.webhook_call import (
    CallFailed,
    InvalidAnswer,
    Verdict,
    call_webhook,
    review_of,
)
from virtdeck.standalone.apiserver.admission.webhook_rules import Webhook, parse_webhooks
from virtdeck.standalone.apiserver.aggregation.upstream import Upstreams
from virtdeck.standalone.apiserver.conversion.conversions import Conversions
from virtdeck.standalone.apiserver.patching.json_patch import json_patch
from virtdeck.standalone.apiserver.problems import StatusError, forbidden, internal
from virtdeck.standalone.apiserver.resources.resource import Resource
from virtdeck.standalone.apiserver.storage.shelf import Shelf
from virtdeck.standalone.apiserver.storage.store import Store
from virtdeck.standalone.apiserver.storage.timeline import Event
from virtdeck.standalone.apiserver.verbs.attributes import Attributes

log = structlog.get_logger()

Obj = dict[str, Any]

GROUP = "admissionregistration.k8s.io"
# As in Kubernetes: what configures admission is not itself subject to it, or nobody could repair it.
EXEMPT = (GROUP, "authentication.k8s.io", "authorization.k8s.io")


class Webhooks:
    """The configured webhooks; parsed again after a configuration changed."""

    def __init__(
        self,
        store: Store,
        upstreams: Upstreams,
        matcher: Matcher,
        authorizer: Authorizer,
        conversions: Conversions,
    ) -> None:
        self._upstreams = upstreams
        self._conversions = conversions
        self._matcher = matcher
        self._authorizer = authorizer
        self._shelves = {
            "mutate": store.shelf(f"{GROUP}/mutatingwebhookconfigurations"),
            "validate": store.shelf(f"{GROUP}/validatingwebhookconfigurations"),
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

    def _matched(
        self, phase: str, attributes: Attributes, obj: Obj | None, old: Obj | None
    ) -> list[tuple[Webhook, Resource]]:
        """Those that the write concerns, and as which resource they want to see it."""
        if attributes.group in EXEMPT:
            return []
        subject = self._matcher.subject(attributes, obj, old)
        found = ((webhook, concerned(webhook.criteria, subject)) for webhook in self._webhooks(phase))
        return [(webhook, resource) for webhook, resource in found if resource is not None]

    async def mutate(self, attributes: Attributes, obj: Obj, old: Obj | None) -> Obj:
        """The object as all mutating webhooks leave it. Raises: StatusError."""
        asked: list[tuple[Webhook, Resource]] = []
        again: set[str] = set()
        for webhook in self._webhooks("mutate") if attributes.group not in EXEMPT else ():
            # Selectors and conditions judge the object as those before have left it.
            resource = concerned(webhook.criteria, self._matcher.subject(attributes, obj, old))
            if resource is None:
                continue
            before = obj
            obj = await self._mutate_by(webhook, resource, attributes, obj, old)
            if obj != before:
                again = {one.name for one, _resource in asked if one.reinvoked}
            asked.append((webhook, resource))
        for webhook, resource in asked:
            if webhook.name in again:
                obj = await self._mutate_by(webhook, resource, attributes, obj, old)
        return obj

    async def _mutate_by(
        self, webhook: Webhook, resource: Resource, attributes: Attributes, obj: Obj, old: Obj | None
    ) -> Obj:
        verdict = await self._ask(webhook, resource, attributes, obj, old)
        if verdict is None or verdict.patch is None:
            return obj
        shown = await self._conversions.between(obj, attributes.resource, resource)
        try:
            patched: Obj = json_patch(shown, verdict.patch)
        except StatusError as fault:
            raise internal(
                f"admission webhook {webhook.name!r} sent a patch that fails: {fault.message}"
            ) from fault
        return await self._conversions.between(patched, resource, attributes.resource)

    async def validate(self, attributes: Attributes, obj: Obj | None, old: Obj | None) -> None:
        """Returns when every validating webhook agrees. Raises: StatusError of the first that does not."""
        matched = self._matched("validate", attributes, obj, old)
        if len(matched) < 2:
            for webhook, resource in matched:
                await self._judge(webhook, resource, attributes, obj, old)
            return
        faults: dict[str, StatusError] = {}

        async def ask(webhook: Webhook, resource: Resource) -> None:
            try:
                await self._judge(webhook, resource, attributes, obj, old)
            except StatusError as fault:
                faults[webhook.name] = fault

        async with anyio.create_task_group() as group:
            for webhook, resource in matched:
                group.start_soon(ask, webhook, resource)
        for webhook, _resource in matched:
            if webhook.name in faults:
                raise faults[webhook.name]

    async def _judge(
        self, webhook: Webhook, resource: Resource, attributes: Attributes, obj: Obj | None, old: Obj | None
    ) -> None:
        verdict = await self._ask(webhook, resource, attributes, obj, old)
        if verdict is not None and verdict.patch is not None and webhook.fails_closed:
            raise _failed(webhook, InvalidAnswer("validating webhook may not return response.patch"))

    async def _ask(
        self, webhook: Webhook, resource: Resource, attributes: Attributes, obj: Obj | None, old: Obj | None
    ) -> Verdict | None:
        """The verdict; None when it is not wanted, or fails and may be ignored. Raises: StatusError."""
        shown, before = await self._conversions.both(obj, old, attributes.resource, resource)
        review = review_of(attributes, resource, shown, before)
        if not self._wanted(webhook, attributes, review):
            return None
        try:
            verdict = await call_webhook(webhook, self._upstreams, review)
        except CallFailed as fault:
            log.warning("webhook_failed", webhook=webhook.name, error=str(fault))
            if webhook.fails_closed:
                raise _failed(webhook, fault) from fault
            return None
        for text in verdict.warnings:
            attributes.warn(text)
        for name, text in verdict.annotations:
            attributes.annotate(f"{webhook.name}/{name}", text)
        if not verdict.allowed:
            raise _denial(webhook, verdict)
        return verdict

    def _wanted(self, webhook: Webhook, attributes: Attributes, review: Obj) -> bool:
        """Whether its match conditions hold. Raises: StatusError 403 if they fail and so must it."""
        if not webhook.conditions:
            return True
        # CEL's rooms are entered by those alone who have expressions.
        from virtdeck.standalone.apiserver.admission.conditions import ConditionFailed, Conditions
        from virtdeck.standalone.apiserver.admission.request_values import request_values

        conditions = webhook.compiled(Conditions)
        values = request_values(attributes, review, self._authorizer)
        try:
            return conditions.hold(values)
        except ConditionFailed as fault:
            log.warning("match_conditions_failed", webhook=webhook.name, error=str(fault))
            if not webhook.fails_closed:
                return False
            why = f'webhook "{webhook.name}": {fault}'
            raise forbidden(attributes.plural, attributes.group, attributes.name, why) from fault


def _failed(webhook: Webhook, fault: CallFailed) -> StatusError:
    return internal(f'failed calling webhook "{webhook.name}": {fault}')


def _denial(webhook: Webhook, verdict: Verdict) -> StatusError:
    status = verdict.status
    given = status.get("code")
    code = given if isinstance(given, int) and 400 <= given <= 599 else 400
    said = f": {status['message']}" if status.get("message") else " without explanation"
    if not status.get("message") and status.get("reason"):
        said = f": {status['reason']}"
    message = f'admission webhook "{webhook.name}" denied the request{said}'
    details = status.get("details")
    shown = dict(details) if isinstance(details, dict) else None
    return StatusError(message, str(status.get("reason") or ""), code, shown)
