"""Serves the webhooks to the API server."""

from collections.abc import Awaitable, Callable, Mapping
from inspect import isawaitable

from virtdeck.basis.errors import Absent, Bug, Cause, Refused, VirtdeckError
from virtdeck.gateway.webhooks.difference import difference
from virtdeck.gateway.webhooks.review import TOO_DEEP, Outcome, Review, decode_review, encode_outcome
from virtdeck.serving.asgi import App, Receive, Scope, Send, answer
from virtdeck.serving.body import read_body
from virtdeck.serving.tls import Name, peer_certificate

Hook = Callable[[Review], Outcome | Awaitable[Outcome]]
"""What answers a review; one that reads the API first is awaited."""

API_SERVER = "kubevirt.io:system:client:apiserver"


def webhook_app(hooks: Mapping[str, Hook], callers: frozenset[Name] | None) -> App:
    """The app that answers at the paths of ``hooks``.

    callers: the authorities whose certificate for ``API_SERVER`` a caller must show; None where the API
    server has none to show (many clusters), for what a hook says is no secret and changes nothing.
    """

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        hook = hooks.get(scope["path"])
        if hook is None or scope["type"] != "http":
            raise Absent("no such webhook")
        if scope["method"] != "POST":
            raise VirtdeckError("webhooks are posted to", reason="MethodNotAllowed")
        if callers is not None:
            _require_api_server(scope, callers)
        review = decode_review(await read_body(receive))
        scope.setdefault("state", {})["user"] = review.user.name
        await answer(scope, send, 200, await answered(hook, review), b"application/json")

    return app


async def answered(hook: Hook, review: Review) -> bytes:
    """The AdmissionReview to answer with. What was not read, or cannot be walked, is refused unasked."""
    try:
        outcome = _refused(review.unfit) if review.unfit else await ask(hook, review)
        patch = difference(review.obj, outcome.obj) if outcome.obj is not None else []
        return encode_outcome(review, outcome, patch)
    except RecursionError:
        return encode_outcome(review, _refused(TOO_DEEP), [])


def _refused(why: str) -> Outcome:
    return Outcome((Cause("", why),))


async def ask(hook: Hook, review: Review) -> Outcome:
    """What the hook says. Raises: Bug when it breaks: the write is refused, since nobody has checked it."""
    try:
        said = hook(review)
        return await said if isawaitable(said) else said
    except (VirtdeckError, RecursionError):
        raise
    except Exception as fault:
        raise Bug(f"admission of {review.kind} {review.namespace}/{review.name} broke: {fault}") from fault


def _require_api_server(scope: Scope, authorities: frozenset[Name]) -> None:
    peer = peer_certificate(scope)
    if peer is None or peer["issuer_name"] not in authorities or peer["cn"] != API_SERVER:
        raise Refused("webhooks are for the API server only", authenticated=False)
