"""What is published of our certificate authorities follows their files when those are renewed."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio

from virtdeck.basis.errors import VirtdeckError
from virtdeck.standalone.apiserver.background.internal import change
from virtdeck.standalone.apiserver.service import Service
from virtdeck.standalone.apiserver.storage.rows import Row

Obj = dict[str, Any]
_LOOK_SECONDS = 60.0
_CONFIG_MAPS = "/configmaps"
ROOT_CA = "kube-root-ca.crt"
FRONT_PROXY = ("kube-system", "extension-apiserver-authentication")


class Authorities:
    """Looks at the files now and then: a renewed authority has the same key, so nothing hurries."""

    def __init__(self, service: Service) -> None:
        self._store = service.store
        self._shelf = service.store.shelf(_CONFIG_MAPS)
        self._client_ca = Path(service.settings.client_ca)
        self._front_proxy_ca = Path(service.settings.front_proxy_ca)
        self._seen: tuple[int, ...] = ()

    async def run(self) -> None:
        """Publishes what has changed, until it is cancelled."""
        while True:
            await self.publish()
            await anyio.sleep(_LOOK_SECONDS)

    async def publish(self) -> None:
        """Every ConfigMap that shows an authority shows the one in its file."""
        try:
            seen = tuple(path.stat().st_mtime_ns for path in (self._client_ca, self._front_proxy_ca))
            if seen == self._seen:
                return
            client_ca, front_proxy_ca = (
                path.read_text(encoding="ascii") for path in (self._client_ca, self._front_proxy_ca)
            )
        except OSError:
            return
        shown = [
            await self._show(row, wanted) for row, wanted in list(self._wanted(client_ca, front_proxy_ca))
        ]
        self._seen = seen if all(shown) else ()

    def _wanted(self, client_ca: str, front_proxy_ca: str) -> Iterator[tuple[Row, dict[str, str]]]:
        for key, row in self._shelf.rows.items():
            if key[1] == ROOT_CA:
                yield row, {"ca.crt": client_ca}
            elif key == FRONT_PROXY:
                yield row, {"client-ca-file": client_ca, "requestheader-client-ca-file": front_proxy_ca}

    async def _show(self, row: Row, wanted: dict[str, str]) -> bool:
        """Whether the row shows it now; if not, the next look tries again."""

        def edit(obj: Obj) -> None:
            obj["data"] = {**(obj.get("data") or {}), **wanted}

        try:
            await change(self._store, self._shelf, row, edit)
        except VirtdeckError:
            return False
        return True
