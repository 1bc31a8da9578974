"""From a connection and its headers to a user."""

from dataclasses import replace

from virtdeck.serving.asgi import Scope
from virtdeck.serving.tls import peer_certificate
from virtdeck.standalone.apiserver.access.identity import (
    ANONYMOUS,
    AUTHENTICATED,
    UNAUTHENTICATED,
    User,
    account_groups,
    parse_account,
)
from virtdeck.standalone.apiserver.access.rbac import Act, Authorizer, refusal
from virtdeck.standalone.apiserver.access.tokens import Tokens
from virtdeck.standalone.apiserver.problems import StatusError, bad_request, forbidden, unauthorized

Headers = dict[str, str]
_EXTRA = "impersonate-extra-"
NODE_NAME_EXTRA = "authentication.kubernetes.io/node-name"


def authenticate(scope: Scope, headers: Headers, tokens: Tokens) -> User:
    """Who calls: by certificate, else by token, else nobody. Raises: StatusError 401 for a bad token."""
    certificate = peer_certificate(scope)
    if certificate is not None and certificate["cn"]:
        groups = (*certificate["organizations"], AUTHENTICATED)
        extra = _bound_node(certificate["units"])
        return User(certificate["cn"], tuple(dict.fromkeys(groups)), extra=extra)
    scheme, _, token = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and token:
        user = tokens.user_of(token.strip())
        if user is None:
            raise unauthorized()
        return user
    if headers.get("authorization"):
        raise unauthorized()
    return ANONYMOUS


def _bound_node(units: tuple[str, ...]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """A certificate with the unit ``node:NAME`` speaks for that node, as a token bound to one does."""
    nodes = tuple(unit.removeprefix("node:") for unit in units if unit.startswith("node:"))
    return ((NODE_NAME_EXTRA, nodes),) if nodes else ()


def impersonate(scope: Scope, headers: Headers, user: User, authorizer: Authorizer) -> User:
    """Whom the caller acts as, if it may. Raises: StatusError 400, 403."""
    wanted = headers.get("impersonate-user", "")
    groups = [
        value.decode("latin-1") for name, value in scope["headers"] if name == b"impersonate-group" and value
    ]
    extra = _extra(scope)
    uid = headers.get("impersonate-uid", "")
    if not wanted:
        if groups or extra or uid:
            raise bad_request("requested impersonation without impersonating a user")
        return user
    _require(user, authorizer, _user_act(wanted))
    for group in groups:
        _require(user, authorizer, Act("impersonate", resource="groups", name=group))
    for key, values in extra:
        for value in values:
            act = Act("impersonate", "authentication.k8s.io", f"userextras/{key}", name=value)
            _require(user, authorizer, act)
    if uid:
        _require(user, authorizer, Act("impersonate", "authentication.k8s.io", "uids", name=uid))
    return replace(User(wanted), groups=_groups(wanted, groups), uid=uid, extra=extra)


def _user_act(name: str) -> Act:
    account = parse_account(name)
    if account:
        return Act("impersonate", resource="serviceaccounts", namespace=account[0], name=account[1])
    return Act("impersonate", resource="users", name=name)


def _require(user: User, authorizer: Authorizer, act: Act) -> None:
    if not authorizer.allows(user, act):
        raise _refused(user, act)


def _refused(user: User, act: Act) -> StatusError:
    return forbidden(act.resource, act.group, act.name, refusal(user, act))


def _groups(name: str, groups: list[str]) -> tuple[str, ...]:
    found = list(groups)
    account = parse_account(name)
    if account and not found:
        found = list(account_groups(account[0]))
    if name == ANONYMOUS.name:
        found.append(UNAUTHENTICATED)
    elif UNAUTHENTICATED not in found:
        found.append(AUTHENTICATED)
    return tuple(dict.fromkeys(found))


def _extra(scope: Scope) -> tuple[tuple[str, tuple[str, ...]], ...]:
    # Imported here: hardly any request carries extras.
    from urllib.parse import unquote

    found: dict[str, list[str]] = {}
    for name, value in scope["headers"]:
        plain = name.decode("latin-1").lower()
        if plain.startswith(_EXTRA):
            found.setdefault(unquote(plain.removeprefix(_EXTRA)), []).append(value.decode("latin-1"))
    return tuple((key, tuple(values)) for key, values in sorted(found.items()))
