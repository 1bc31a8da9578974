"""Whether the servers behind APIServices answer: their condition Available."""

from typing import Any

import anyio

from virtdeck.basis.clock import rfc3339
from virtdeck.basis.errors import Lost, Unready
from virtdeck.standalone.apiserver.access.identity import SELF
from virtdeck.standalone.apiserver.aggregation.identity_headers import identity_headers
from virtdeck.standalone.apiserver.background.internal import change
from virtdeck.standalone.apiserver.background.worker import Worker
from virtdeck.standalone.apiserver.resources.registry import Delegate
from virtdeck.standalone.apiserver.storage.shelf import Shelf
from virtdeck.standalone.apiserver.storage.timeline import Change, Event

Obj = dict[str, Any]

_SERVICES = "apiregistration.k8s.io/apiservices"
_PROBE_SECONDS = 5.0


class ApiServices(Worker[str]):
    """Probes a server when its APIService changes, and again, ever more seldom, while it does not answer."""

    def start(self) -> None:
        for row in self.store.shelf(_SERVICES).in_order(None):
            self.due(row.name)

    def hear(self, shelf: Shelf, event: Event) -> None:
        if shelf.resource != _SERVICES or event.change is Change.DELETED:
            return
        before = event.before.decode().get("spec") if event.before is not None else None
        if before != event.row.decode().get("spec"):
            self.due(event.row.name)

    async def handle(self, key: str) -> None:
        shelf = self.store.shelf(_SERVICES)
        row = shelf.get(("", key))
        if row is None:
            return
        spec = row.decode().get("spec") or {}
        delegate = self.service.registry.delegate(spec.get("group", ""), spec.get("version", ""))
        if delegate is None:
            condition = ("True", "Local", "Local APIServices are always available")
            await change(self.store, shelf, row, self._setting(*condition))
            return
        fault = await self._probe(delegate)
        if fault:
            await change(self.store, shelf, row, self._setting("False", "FailedDiscoveryCheck", fault))
            raise Unready(fault)
        await change(self.store, shelf, row, self._setting("True", "Passed", "all checks passed"))

    async def _probe(self, delegate: Delegate) -> str:
        """What is wrong with the server; empty when it answers."""
        path = f"/apis/{delegate.group}/{delegate.version}"
        try:
            with anyio.fail_after(_PROBE_SECONDS):
                endpoint = self.service.upstreams.delegate(delegate)
                headers = [("host", str(endpoint.server_name)), *identity_headers(SELF)]
                client = self.service.upstreams.client
                async with client.request(endpoint, "GET", path, headers) as answer:
                    async for _piece in answer.body():
                        pass
                    return "" if answer.status < 400 else f"{path} answered {answer.status}"
        except Lost as fault:
            return fault.message
        except TimeoutError:
            return f"{path} did not answer within {_PROBE_SECONDS:g} s"

    def _setting(self, status: str, reason: str, message: str) -> Any:
        now = rfc3339(self.service.clock.now())

        def edit(obj: Obj) -> None:
            held = obj.setdefault("status", {}).get("conditions") or []
            before: Obj = next((one for one in held if one["type"] == "Available"), {})
            if (before.get("status"), before.get("reason"), before.get("message")) == (
                status,
                reason,
                message,
            ):
                return
            since = before.get("lastTransitionTime", now) if before.get("status") == status else now
            condition = {
                "type": "Available",
                "status": status,
                "lastTransitionTime": since,
                "reason": reason,
                "message": message,
            }
            obj["status"]["conditions"] = [one for one in held if one["type"] != "Available"] + [condition]

        return edit
