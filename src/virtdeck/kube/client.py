"""The verbs of the Kubernetes API on typed objects."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, TypeVar

import structlog

from virtdeck.basis.errors import Absent, Bug
from virtdeck.kube.access import Access
from virtdeck.kube.errors import error_from_reply
from virtdeck.kube.lean_aiohttp import aiohttp
from virtdeck.kube.objects import Kind, Listing, decode_left, decode_object
from virtdeck.kube.paths import collection_path, object_path, selector_query
from virtdeck.kube.transport import (
    CONNECT_SECONDS,
    DEADLINE_SECONDS,
    JSON,
    Query,
    Reply,
    Transport,
    open_transport,
)
from virtdeck.kube.watching import WatchEvent, lines, parse_event, parse_list

T = TypeVar("T")
Dict = dict[str, Any]

PAGE = 500  # objects a list asks for at once, as kubectl does
WATCH_SECONDS = 290.0  # a watch is renewed before proxies cut it at five minutes
FIELD_MANAGER = "virtdeck"

_log = structlog.get_logger()


class Client:
    """One identity's view of the API; safe to share between tasks. Built by ``open_client``."""

    def __init__(self, transport: Transport, field_manager: str = FIELD_MANAGER) -> None:
        self._transport = transport
        self._manager = field_manager

    def as_user(
        self, user: str, groups: Sequence[str] = (), extra: Mapping[str, Sequence[str]] | None = None
    ) -> "Client":
        """The same API as this user sees it; the server checks that the caller may impersonate."""
        claims = {name: tuple(values) for name, values in (extra or {}).items()}
        return Client(self._transport.as_user(user, tuple(groups), claims), self._manager)

    # ---- reads

    async def get(self, kind: Kind[T], name: str, namespace: str | None = None) -> T | None:
        """The object, read from the server now; None when there is none."""
        try:
            return await self.require(kind, name, namespace)
        except Absent:
            return None

    async def require(self, kind: Kind[T], name: str, namespace: str | None = None) -> T:
        """The object, read from the server now. Raises: Absent."""
        return decode_object(kind, await self._transport.call("GET", object_path(kind, name, namespace)))

    async def list(
        self,
        kind: Kind[T],
        namespace: str | None = None,
        *,
        label_selector: str | None = None,
        field_selector: str | None = None,
    ) -> Listing[T]:
        """All matching objects of one version of the store, read in pages."""
        path = collection_path(kind, namespace)
        query = {**selector_query(label_selector, field_selector), "limit": str(PAGE)}
        found: list[T] = []
        while True:
            page = parse_list(await self._transport.call("GET", path, query=query), kind)
            found += [obj for item in page.items or () if (obj := _readable(kind, item)) is not None]
            if not page.metadata.continue_:
                return Listing(found, page.metadata.resource_version)
            query["continue"] = page.metadata.continue_

    async def watch(  # noqa: PLR0913 (ListOptions, and who wants to know)
        self,
        kind: Kind[T],
        namespace: str | None = None,
        *,
        resource_version: str = "",
        label_selector: str | None = None,
        field_selector: str | None = None,
        timeout_seconds: float = WATCH_SECONDS,
        opened: Callable[[], None] | None = None,
    ) -> AsyncIterator[WatchEvent[T]]:
        """The changes after ``resource_version`` as they happen, until the server ends the watch.

        opened: called once the server has agreed to send them.
        Raises: Expired when the version is no longer kept.
        """
        query = {
            **selector_query(label_selector, field_selector),
            "watch": "true",
            "allowWatchBookmarks": "true",
            "timeoutSeconds": str(int(timeout_seconds)),
        }
        if resource_version:
            query["resourceVersion"] = resource_version
        timeout = aiohttp.ClientTimeout(
            total=timeout_seconds + DEADLINE_SECONDS, sock_connect=CONNECT_SECONDS
        )
        path = collection_path(kind, namespace)
        async with self._transport.stream("GET", path, query=query, timeout=timeout) as response:
            if response.status >= 400:
                raise error_from_reply(response.status, await response.read())
            if opened is not None:
                opened()
            async for line in lines(response.content.iter_any()):
                if (event := _readable_event(kind, line)) is not None:
                    yield event

    # ---- writes

    async def create(
        self, kind: Kind[T], obj: object, namespace: str | None = None, *, dry_run: bool = False
    ) -> T:
        """The object as the server stored it. Raises: Conflict (AlreadyExists), Invalid."""
        query = self._write_query(dry_run=dry_run)
        return decode_object(
            kind, await self._transport.call("POST", collection_path(kind, namespace), query=query, body=obj)
        )

    async def json_patch(
        self,
        kind: Kind[T],
        name: str,
        namespace: str | None,
        ops: Sequence[Dict],
        subresource: str | None = None,
        *,
        dry_run: bool = False,
    ) -> T:
        """The object after these RFC 6902 operations. Raises: Invalid or Conflict when a test fails."""
        path = object_path(kind, name, namespace, subresource)
        return await self._patch(kind, path, "json-patch+json", list(ops), self._write_query(dry_run=dry_run))

    async def merge_patch(
        self,
        kind: Kind[T],
        name: str,
        namespace: str | None,
        patch: Mapping[str, Any],
        subresource: str | None = None,
        *,
        dry_run: bool = False,
    ) -> T:
        """The object after this RFC 7386 patch; Conflict when it names another resourceVersion."""
        path = object_path(kind, name, namespace, subresource)
        return await self._patch(kind, path, "merge-patch+json", patch, self._write_query(dry_run=dry_run))

    async def strategic_patch(
        self,
        kind: Kind[T],
        name: str,
        namespace: str | None,
        patch: Mapping[str, Any],
        subresource: str | None = None,
    ) -> T:
        """The object after this strategic merge patch; only kinds built into Kubernetes take one."""
        path = object_path(kind, name, namespace, subresource)
        return await self._patch(kind, path, "strategic-merge-patch+json", patch, self._write_query())

    async def apply_patch(
        self,
        kind: Kind[T],
        name: str,
        namespace: str | None,
        obj: object,
        subresource: str | None = None,
        *,
        force: bool = True,
    ) -> T:
        """The object after a server-side apply of the fields in ``obj``. Raises: Conflict unless forced."""
        path = object_path(kind, name, namespace, subresource)
        query = self._write_query() | {"force": str(force).lower()}
        return await self._patch(kind, path, "apply-patch+yaml", obj, query)

    async def delete(  # noqa: PLR0913 (Kubernetes' own DeleteOptions)
        self,
        kind: Kind[T],
        name: str,
        namespace: str | None = None,
        *,
        uid: str | None = None,
        resource_version: str | None = None,
        grace_seconds: int | None = None,
        propagation: str | None = None,
    ) -> T | None:
        """The object that still has to end, with its deletionTimestamp; None when it is gone.

        Raises: Absent; Conflict if it is another one by that name.
        """
        preconditions = {"uid": uid, "resourceVersion": resource_version}
        options: Dict = {
            "preconditions": {name: value for name, value in preconditions.items() if value} or None,
            "gracePeriodSeconds": grace_seconds,
            "propagationPolicy": propagation,
        }
        body = {"apiVersion": "v1", "kind": "DeleteOptions"} | {
            name: value for name, value in options.items() if value is not None
        }
        answer = await self._transport.call("DELETE", object_path(kind, name, namespace), body=body)
        return decode_left(kind, answer)

    # ---- everything else

    async def request(
        self,
        method: str,
        path: str,
        *,
        query: Query = None,
        body: object = None,
        content_type: str = JSON,
        deadline_seconds: float = DEADLINE_SECONDS,
    ) -> Reply:
        """The server's own answer, status and bytes, errors included. Raises: Unready when none came."""
        return await self._transport.exchange(
            method,
            path,
            query=query,
            body=body,
            content_type=content_type,
            deadline_seconds=deadline_seconds,
        )

    def open_response(
        self, method: str, path: str, *, query: Query = None, body: object = None, idle_seconds: float = 300.0
    ) -> AbstractAsyncContextManager[aiohttp.ClientResponse]:
        """An answer to hand on piece by piece (a watch, a log); cut after ``idle_seconds`` of silence."""
        timeout = aiohttp.ClientTimeout(sock_connect=CONNECT_SECONDS, sock_read=idle_seconds)
        return self._transport.stream(method, path, query=query, body=body, timeout=timeout)

    def open_websocket(
        self, path: str, *, protocols: tuple[str, ...] = ("plain.kubevirt.io",), query: Query = None
    ) -> AbstractAsyncContextManager[aiohttp.ClientWebSocketResponse]:
        """An open WebSocket to a subresource. Raises: the error that the refusal names."""
        return self._transport.websocket(path, protocols=protocols, query=query)

    async def _patch(self, kind: Kind[T], path: str, patch_type: str, body: object, query: Query) -> T:
        return decode_object(
            kind,
            await self._transport.call(
                "PATCH", path, query=query, body=body, content_type=f"application/{patch_type}"
            ),
        )

    def _write_query(self, *, dry_run: bool = False) -> dict[str, str]:
        query = {"fieldManager": self._manager, "fieldValidation": "Ignore"}
        return query | {"dryRun": "All"} if dry_run else query


def _readable_event(kind: Kind[T], line: bytes) -> WatchEvent[T] | None:
    """One object that does not fit must not hide all others; the server's schema makes this rare."""
    try:
        return parse_event(line, kind)
    except Bug as fault:
        _log.error("watch_event_skipped", kind=kind.kind, problem=fault.message)
        return None


def _readable(kind: Kind[T], item: bytes) -> T | None:
    try:
        return decode_object(kind, item)
    except Bug as fault:
        _log.error("listed_object_skipped", kind=kind.kind, problem=fault.message)
        return None


@asynccontextmanager
async def open_client(access: Access, component: str = FIELD_MANAGER) -> AsyncIterator[Client]:
    """A client for as long as the block; ``component`` becomes its User-Agent and field manager."""
    async with open_transport(access, component) as transport:
        yield Client(transport, component)
