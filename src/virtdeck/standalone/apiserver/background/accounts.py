"""Every namespace has a default ServiceAccount and the cluster's CA; token Secrets get their token."""

import base64
from pathlib import Path
from typing import Any

from virtdeck.standalone.apiserver.background.authorities import ROOT_CA
from virtdeck.standalone.apiserver.background.internal import change
from virtdeck.standalone.apiserver.background.worker import Worker
from virtdeck.standalone.apiserver.problems import StatusError
from virtdeck.standalone.apiserver.storage.shelf import Shelf
from virtdeck.standalone.apiserver.storage.timeline import Change, Event
from virtdeck.standalone.apiserver.verbs.attributes import Attributes

Obj = dict[str, Any]

_NAMESPACES = "/namespaces"
_TOKEN_SECRET = "kubernetes.io/service-account-token"  # noqa: S105 - a type's name
_ACCOUNT_NAME = "kubernetes.io/service-account.name"
_ACCOUNT_UID = "kubernetes.io/service-account.uid"


class Accounts(Worker[tuple[str, str]]):
    """Keys are (namespace, "") and (namespace, name of a Secret)."""

    def start(self) -> None:
        for row in self.store.shelf(_NAMESPACES).in_order(None):
            self.due((row.name, ""))

    def hear(self, shelf: Shelf, event: Event) -> None:
        row = event.row
        if shelf.resource == _NAMESPACES and event.change is Change.ADDED:
            self.due((row.name, ""))
        elif (
            shelf.resource == "/serviceaccounts" and event.change is Change.DELETED and row.name == "default"
        ):
            self.due((row.namespace, ""))
        elif (
            shelf.resource == "/secrets"
            and event.change is Change.ADDED
            and _TOKEN_SECRET.encode() in row.data
        ):
            self.due(row.key)

    async def handle(self, key: tuple[str, str]) -> None:
        namespace, secret = key
        if secret:
            await self._fill(namespace, secret)
            return
        row = self.store.shelf(_NAMESPACES).get(("", namespace))
        if row is None or row.terminating:
            return
        await self._ensure(namespace, "serviceaccounts", "ServiceAccount", "default", {})
        data = {"data": {"ca.crt": self._authority()}}
        await self._ensure(namespace, "configmaps", "ConfigMap", ROOT_CA, data)

    def _authority(self) -> str:
        return Path(self.service.settings.client_ca).read_text(encoding="ascii")

    async def _ensure(self, namespace: str, plural: str, kind: str, name: str, rest: Obj) -> None:
        resource = self.service.registry.require("", "v1", plural)
        attributes = Attributes(resource, "CREATE", namespace, name)
        if self.service.pipeline.latest(attributes) is not None:
            return
        obj = {"apiVersion": "v1", "kind": kind, "metadata": {"name": name}, **rest}
        try:
            await self.service.pipeline.create(attributes, obj)
        except StatusError as fault:
            if fault.reason not in ("AlreadyExists", "NotFound") and fault.code != 403:
                raise

    async def _fill(self, namespace: str, name: str) -> None:
        shelf = self.store.shelf("/secrets")
        row = shelf.get((namespace, name))
        if row is None:
            return
        obj = row.decode()
        wanted = (obj["metadata"].get("annotations") or {}).get(_ACCOUNT_NAME)
        account = self.store.shelf("/serviceaccounts").get((namespace, wanted or ""))
        if obj.get("type") != _TOKEN_SECRET or account is None or (obj.get("data") or {}).get("token"):
            return
        token = self.service.tokens.issue_lasting(account, name)

        def edit(secret: Obj) -> None:
            secret["metadata"].setdefault("annotations", {})[_ACCOUNT_UID] = account.uid
            values = {
                "token": token.encode(),
                "ca.crt": self._authority().encode(),
                "namespace": namespace.encode(),
            }
            data = {key: base64.b64encode(value).decode() for key, value in values.items()}
            secret["data"] = {**(secret.get("data") or {}), **data}

        await change(self.store, shelf, row, edit)
