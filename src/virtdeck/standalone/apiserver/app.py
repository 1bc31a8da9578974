"""The ASGI app: who asks, may they, what is asked, and every error as a Status."""

import math

import anyio
import structlog

from virtdeck.basis.errors import VirtdeckError
from virtdeck.serving.asgi import Receive, Scope, Send
from virtdeck.serving.status import code_of, status_of
from virtdeck.standalone.apiserver.access.authentication import authenticate, impersonate
from virtdeck.standalone.apiserver.access.identity import ANONYMOUS
from virtdeck.standalone.apiserver.access.rbac import Act, refusal
from virtdeck.standalone.apiserver.access.reviews import REVIEWS, review
from virtdeck.standalone.apiserver.aggregation.proxy import proxy_http
from virtdeck.standalone.apiserver.aggregation.websocket import proxy_websocket
from virtdeck.standalone.apiserver.discovery.endpoints import discover
from virtdeck.standalone.apiserver.discovery.openapi import openapi
from virtdeck.standalone.apiserver.problems import StatusError, forbidden, no_such_path, timed_out
from virtdeck.standalone.apiserver.requests.allotted import allotted_seconds
from virtdeck.standalone.apiserver.requests.answers import failure, send_reply
from virtdeck.standalone.apiserver.requests.bodies import Disconnected
from virtdeck.standalone.apiserver.requests.call import Call, Reply
from virtdeck.standalone.apiserver.requests.fairness import Fairness
from virtdeck.standalone.apiserver.requests.levels import is_reading, is_unscheduled, seats_of_list
from virtdeck.standalone.apiserver.requests.targets import parse_query, parse_target
from virtdeck.standalone.apiserver.resources.resource import Resource
from virtdeck.standalone.apiserver.service import Service
from virtdeck.standalone.apiserver.telemetry.audit import Audit
from virtdeck.standalone.apiserver.telemetry.health import HEALTH_PATHS, health, version
from virtdeck.standalone.apiserver.telemetry.metrics import metrics
from virtdeck.standalone.apiserver.telemetry.observer import Observation, Observer
from virtdeck.standalone.apiserver.verbs.pipeline import guarded
from virtdeck.standalone.apiserver.verbs.pod_logs import send_log
from virtdeck.standalone.apiserver.verbs.routes import check_read_only, handler_of
from virtdeck.standalone.apiserver.verbs.watching import Watch
from virtdeck.standalone.apiserver.verbs.websocket_watch import watch_by_frames

log = structlog.get_logger()

_WRITES = ("create", "update", "patch", "delete", "deletecollection")


def is_stream(scope: Scope) -> bool:
    """A request that may last: a watch, a followed log, whatever an aggregated server streams."""
    query = scope.get("query_string", b"")
    return b"watch=" in query or b"follow=" in query or scope["path"].startswith("/apis/subresources.")


class App:
    """Serves requests with a ``Service``."""

    def __init__(self, service: Service, audit: Audit) -> None:
        self._service = service
        self._observer = Observer(audit)
        self._fairness = Fairness(self._observer.requests.rejected)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        call = self._call(scope, receive, send)
        lasting = scope["type"] == "websocket" or is_stream(scope)
        seen = self._observer.begin(call, lasting=lasting)
        try:
            self._identify(call)
            self._authorize(call)
            await self._admitted(call, seen)
        except Disconnected:
            return
        except StatusError as fault:
            await self._refuse(call, fault, seen)
        except VirtdeckError as fault:
            await self._refuse(call, _as_status_error(fault), seen)
        finally:
            self._observer.end(seen)

    async def _admitted(self, call: Call, seen: Observation) -> None:
        """The request is served when it is its turn. Raises: StatusError 429, 504."""
        if seen.lasting:
            with self._fairness.stream(call.user):
                await self._serve(call)
            return
        with anyio.move_on_after(allotted_seconds(call)) as scope:
            if is_unscheduled(call.target.parts):
                await self._serve(call)
            else:
                await self._seated(call, seen, scope)
        if scope.cancelled_caught:
            raise timed_out("Timeout: request did not complete within the allotted timeout")

    async def _seated(self, call: Call, seen: Observation, scope: anyio.CancelScope) -> None:
        target = call.target
        reading = is_reading(target.verb, target.group) or not target.is_resource
        async with self._fairness.admit(call.user, reading=reading, width=self._width(call)) as leave:

            def answered() -> None:
                leave()  # who reads slowly keeps no seat
                scope.deadline = math.inf

            seen.when_answered = answered
            await self._serve(call)

    def _width(self, call: Call) -> int:
        target = call.target
        resource = self._service.registry.find(target.group, target.version, target.plural)
        if resource is None or target.verb not in ("list", "deletecollection"):
            return 1
        rows = len(self._service.store.shelf(resource.shelf).rows)
        return seats_of_list(rows, call.number("limit") or 0)

    async def _serve(self, call: Call) -> None:
        if call.scope["type"] == "websocket":
            await self._websocket(call)
        else:
            await self._http(call)

    def _call(self, scope: Scope, receive: Receive, send: Send) -> Call:
        headers = {
            name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]
        }
        query = parse_query(scope.get("query_string", b""))
        raw = scope.get("raw_path") or scope["path"].encode()
        method = scope.get("method", "GET")
        target = parse_target(method, raw.partition(b"?")[0].decode("latin-1"), query)
        return Call(method, target, query, headers, ANONYMOUS, scope, receive, send)

    def _identify(self, call: Call) -> None:
        service = self._service
        user = authenticate(call.scope, call.headers, service.tokens)
        if "impersonate-user" in call.headers or any(
            name.startswith("impersonate-") for name in call.headers
        ):
            call.caller = user
            user = impersonate(call.scope, call.headers, user, service.authorizer)
        call.user = user
        call.scope.setdefault("state", {})["user"] = user.name

    def _authorize(self, call: Call) -> None:
        target = call.target
        if target.is_resource:
            named = f"{target.plural}/{target.subresource}" if target.subresource else target.plural
            act = Act(target.verb, target.group, named, target.namespace, target.name)
        else:
            act = Act(call.method.lower(), path=target.path)
        why = self._service.authorizer.why(call.user, act)
        call.decision, call.why = ("forbid", "") if why is None else ("allow", why)
        if why is not None:
            return
        raise (
            forbidden(target.plural, act.group, act.name, refusal(call.user, act))
            if act.resource
            else (StatusError(f"forbidden: {refusal(call.user, act)}", "Forbidden", 403, {}))
        )

    async def _refuse(self, call: Call, fault: StatusError, seen: Observation) -> None:
        seen.reason, seen.message = fault.reason, fault.message
        if call.scope["type"] == "websocket":
            reply = failure(fault)
            await _refuse_websocket(call, reply)
            return
        await self._send(call, failure(fault))

    async def _http(self, call: Call) -> None:
        delegate = self._service.registry.delegate(call.target.group, call.target.version)
        if delegate is None and call.target.parts[:1] == ("apis",) and len(call.target.parts) == 3:
            delegate = self._service.registry.delegate(*call.target.parts[1:3])
        if delegate is not None:
            await proxy_http(call, self._service, delegate)
            return
        if not call.target.is_resource:
            check_read_only(call)
            await self._send(call, await self._plain(call))
            return
        if (call.target.group, call.target.plural) in REVIEWS:
            await self._send(call, await review(call, self._service))
            return
        await self._resource(call, self._find_resource(call))

    def _find_resource(self, call: Call) -> Resource:
        target = call.target
        found = self._service.registry.find(target.group, target.version, target.plural)
        if found is None:
            raise no_such_path()
        if target.namespace and not found.namespaced and found.plural != "namespaces":
            raise no_such_path()
        return found

    async def _resource(self, call: Call, resource: Resource) -> None:
        if resource.deprecation:
            call.warn(resource.deprecation)
        if call.target.verb == "watch":
            watch = Watch(call, self._service, resource)
            with self._observer.requests.watching(resource.group, resource.version, resource.kind):
                await watch.run()
            return
        if resource.plural == "pods" and call.target.subresource == "log" and call.target.verb == "get":
            await send_log(call, self._service)
            return
        await self._send(call, await self._answer(call, resource))

    async def _answer(self, call: Call, resource: Resource) -> Reply:
        """The handler's answer. A refused write may be so because of another that is not durable yet."""
        try:
            return await handler_of(call, resource)(call, self._service, resource)
        except StatusError:
            if call.target.verb in _WRITES:
                await guarded(self._service.store.settled())
            raise

    async def _plain(self, call: Call) -> Reply:
        first = call.target.parts[:1]
        if first and first[0] in HEALTH_PATHS:
            return health(call, self._service)
        match first:
            case ("api",) | ("apis",):
                return await discover(call, self._service)
            case ("openapi",):
                return await openapi(call, self._service)
            case ("version",):
                return Reply(version())
            case ("metrics",):
                return metrics(self._service, self._observer.requests)
            case ():
                return Reply({"paths": ["/api", "/apis", "/healthz", "/livez", "/metrics", "/openapi/v2",
                                        "/openapi/v3", "/readyz", "/version"]})  # fmt: skip
        raise no_such_path()

    async def _websocket(self, call: Call) -> None:
        await call.receive()  # websocket.connect
        origin, host = call.headers.get("origin", ""), call.headers.get("host", "")
        if origin and origin.partition("://")[2] != host:
            raise StatusError(f"pages of {origin} may not connect here", "Forbidden", 403)
        delegate = self._service.registry.delegate(call.target.group, call.target.version)
        if delegate is not None:
            await proxy_websocket(call, self._service, delegate)
            return
        if not call.target.is_resource or call.target.verb != "watch":
            raise no_such_path()
        resource = self._find_resource(call)
        with self._observer.requests.watching(resource.group, resource.version, resource.kind):
            await watch_by_frames(call, self._service, resource)

    async def _send(self, call: Call, reply: Reply) -> None:
        call.answer = reply.body if reply.content_type == "application/json" else None
        encodings = call.headers.get("accept-encoding", "")
        await send_reply(call.send, reply, call.headers.get("accept", ""), encodings, call.warnings)


async def _refuse_websocket(call: Call, reply: Reply) -> None:
    from virtdeck.standalone.apiserver.requests.answers import encode

    body = encode(reply.body)
    head = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await call.send({"type": "websocket.http.response.start", "status": reply.code, "headers": head})
    await call.send({"type": "websocket.http.response.body", "body": body, "more_body": False})


def _as_status_error(fault: VirtdeckError) -> StatusError:
    status = status_of(fault)
    return StatusError(
        status["message"], status.get("reason", ""), code_of(fault), status.get("details") or {}
    )
