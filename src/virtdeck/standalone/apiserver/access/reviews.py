"""The questions that clients ask about access: TokenReview, the SubjectAccessReviews, TokenRequest."""

from datetime import UTC, datetime
from typing import Any

from virtdeck.basis.clock import rfc3339
from virtdeck.basis.errors import Cause
from virtdeck.standalone.apiserver.access.identity import User
from virtdeck.standalone.apiserver.access.rbac import Act, Authorizer, Grant
from virtdeck.standalone.apiserver.access.tokens import AUDIENCES
from virtdeck.standalone.apiserver.problems import (
    StatusError,
    bad_request,
    conflict,
    invalid,
    method_not_allowed,
    no_such_path,
    not_found,
)
from virtdeck.standalone.apiserver.requests.bodies import decode_object, read_body
from virtdeck.standalone.apiserver.requests.call import Call, Reply
from virtdeck.standalone.apiserver.service import Service
from virtdeck.standalone.apiserver.storage.rows import Row

Obj = dict[str, Any]

_MOST_SECONDS = 2**32

# group, plural: kind and whether it is asked inside a namespace.
REVIEWS: dict[tuple[str, str], tuple[str, bool]] = {
    ("authentication.k8s.io", "tokenreviews"): ("TokenReview", False),
    ("authentication.k8s.io", "selfsubjectreviews"): ("SelfSubjectReview", False),
    ("authorization.k8s.io", "subjectaccessreviews"): ("SubjectAccessReview", False),
    ("authorization.k8s.io", "selfsubjectaccessreviews"): ("SelfSubjectAccessReview", False),
    ("authorization.k8s.io", "selfsubjectrulesreviews"): ("SelfSubjectRulesReview", False),
    ("authorization.k8s.io", "localsubjectaccessreviews"): ("LocalSubjectAccessReview", True),
}


async def review(call: Call, service: Service) -> Reply:
    """The review with its status filled in. Raises: StatusError."""
    kind, _namespaced = REVIEWS[(call.target.group, call.target.plural)]
    if call.target.version != "v1":
        raise no_such_path()
    if call.target.verb != "create" or call.target.is_one:
        raise method_not_allowed()
    given = decode_object(await read_body(call.receive), call.headers.get("content-type", ""))
    spec = given.get("spec") or {}
    if not isinstance(spec, dict):
        raise bad_request("spec must be an object")
    _check_spec(kind, spec, given, call)
    answer: Obj = {
        "kind": kind,
        "apiVersion": f"{call.target.group}/v1",
        "metadata": {"creationTimestamp": None},
        "spec": spec,
    }
    match kind:
        case "TokenReview":
            answer["status"] = _token_status(spec, service)
        case "SelfSubjectReview":
            answer.pop("spec")
            answer["status"] = {"userInfo": call.user.to_dict()}
        case "SelfSubjectRulesReview":
            answer["status"] = _rules_status(call.user, spec.get("namespace") or "", service.authorizer)
        case "SelfSubjectAccessReview":
            answer["status"] = _access_status(call.user, spec, service)
        case _:
            answer["status"] = _access_status(_named_user(spec), spec, service)
    return Reply(answer, 201)


def _check_spec(kind: str, spec: Obj, given: Obj, call: Call) -> None:
    """Raises: StatusError 400, 422 for a question that says too little or contradicts itself."""
    if kind == "TokenReview" and not spec.get("token"):
        raise bad_request("token is required for TokenReview in authentication")
    if kind == "SelfSubjectRulesReview" and not spec.get("namespace"):
        raise bad_request("no namespace on request")
    if kind != "LocalSubjectAccessReview":
        return
    place = call.target.namespace
    named = (given.get("metadata") or {}).get("namespace") or place
    asked = (spec.get("resourceAttributes") or {}).get("namespace") or ""
    if named != place or asked != place:
        text = f'Invalid value: "{asked}": must match metadata.namespace'
        raise _unanswerable(Cause("spec.resourceAttributes.namespace", text))


def _unanswerable(cause: Cause) -> StatusError:
    return invalid("", "authorization.k8s.io", "", [cause])


def _token_status(spec: Obj, service: Service) -> Obj:
    audiences = tuple(spec.get("audiences") or AUDIENCES)
    user = service.tokens.user_of(str(spec.get("token") or ""), audiences)
    if user is None:
        return {"user": {}, "error": "the token is not valid"}
    return {"authenticated": True, "user": user.to_dict(), "audiences": list(audiences)}


def _named_user(spec: Obj) -> User:
    name, groups = spec.get("user") or "", spec.get("groups") or ()
    if not name and not groups:
        text = 'Invalid value: "": at least one of user or group must be specified'
        raise _unanswerable(Cause("spec.user", text))
    extra = tuple((key, tuple(values)) for key, values in sorted((spec.get("extra") or {}).items()))
    return User(name, tuple(groups), spec.get("uid") or "", extra)


def _access_status(user: User, spec: Obj, service: Service) -> Obj:
    act = _act(spec)
    why = service.authorizer.why(user, act)
    status: Obj = {"allowed": why is not None}
    if why:
        status["reason"] = why
    return status


def _act(spec: Obj) -> Act:
    on, path = spec.get("resourceAttributes"), spec.get("nonResourceAttributes")
    if on and path:
        shown = f'Path:"{path.get("path") or ""}", Verb:"{path.get("verb") or ""}"'
        text = (
            f"Invalid value: authorization.NonResourceAttributes{{{shown}}}: "
            "cannot be specified in combination with resourceAttributes"
        )
        raise _unanswerable(Cause("spec.nonResourceAttributes", text))
    if not on and not path:
        why = "exactly one of nonResourceAttributes or resourceAttributes must be specified"
        raise _unanswerable(Cause("spec.resourceAttributes", f'Invalid value: "null": {why}'))
    if path:
        return Act(path.get("verb") or "", path=path.get("path") or "/")
    on = on or {}
    resource = on.get("resource") or ""
    if on.get("subresource"):
        resource = f"{resource}/{on['subresource']}"
    return Act(
        on.get("verb") or "", on.get("group") or "", resource, on.get("namespace") or "", on.get("name") or ""
    )


def _rules_status(user: User, namespace: str, authorizer: Authorizer) -> Obj:
    resources, paths = [], []
    grants: list[Grant] = [one for one in authorizer.grants_of(user) if one.namespace in ("", namespace)]
    for rule in (rule for grant in grants for rule in grant.rules):
        if rule.paths:
            paths.append({"verbs": sorted(rule.verbs), "nonResourceURLs": list(rule.paths)})
        else:
            shown: Obj = {
                "verbs": sorted(rule.verbs),
                "apiGroups": sorted(rule.groups),
                "resources": sorted(rule.resources),
            }
            resources.append(shown | ({"resourceNames": sorted(rule.names)} if rule.names else {}))
    if "system:masters" in user.groups:
        resources.append({"verbs": ["*"], "apiGroups": ["*"], "resources": ["*"]})
        paths.append({"verbs": ["*"], "nonResourceURLs": ["*"]})
    return {"resourceRules": resources, "nonResourceRules": paths, "incomplete": False}


async def request_token(call: Call, service: Service) -> Reply:
    """serviceaccounts/token: a TokenRequest answered. Raises: StatusError."""
    namespace, name = call.target.namespace, call.target.name
    account = service.store.shelf("/serviceaccounts").get((namespace, name))
    if account is None:
        raise not_found("serviceaccounts", "", name)
    given = decode_object(await read_body(call.receive), call.headers.get("content-type", ""))
    spec = given.get("spec") or {}
    bound = spec.get("boundObjectRef")
    if bound:
        bound = _resolve_bound(bound, account, service)
    seconds = spec.get("expirationSeconds") or 3600
    if not isinstance(seconds, int) or seconds < 600:
        text = f"Invalid value: {seconds}: may not specify a duration less than 10 minutes"
        raise invalid("TokenRequest", "authentication.k8s.io", "", [Cause("spec.expirationSeconds", text)])
    if seconds > _MOST_SECONDS:
        text = f"Invalid value: {seconds}: may not specify a duration larger than 2^32 seconds"
        raise invalid("TokenRequest", "authentication.k8s.io", "", [Cause("spec.expirationSeconds", text)])
    audiences = tuple(spec.get("audiences") or AUDIENCES)
    token, expires = service.tokens.issue(account, audiences, seconds, bound)
    answer = {
        "kind": "TokenRequest",
        "apiVersion": "authentication.k8s.io/v1",
        "metadata": {"name": name, "namespace": namespace},
        "spec": {
            "boundObjectRef": None,
            **spec,
            "audiences": list(audiences),
            "expirationSeconds": seconds,
        },
        "status": {"token": token, "expirationTimestamp": rfc3339(datetime.fromtimestamp(expires, UTC))},
    }
    return Reply(answer, 201)


def _resolve_bound(bound: Obj, account: Row, service: Service) -> Obj:
    """The object that the token shall end with. Raises: StatusError 400, 404, 409."""
    namespace = account.namespace
    kind, name = bound.get("kind") or "", bound.get("name") or ""
    shelf = {"Pod": "/pods", "Secret": "/secrets", "Node": "/nodes"}.get(kind)
    if shelf is None:
        version = bound.get("apiVersion") or "v1"
        raise bad_request(f"cannot bind token to object of type /{version}, Kind={kind}")
    row = service.store.shelf(shelf).get(("" if kind == "Node" else namespace, name))
    if row is None:
        raise not_found(shelf.removeprefix("/"), "", name)
    if (uid := bound.get("uid")) and uid != row.uid:
        why = f"the UID in the bound object reference ({uid}) does not match the UID in record ({row.uid})"
        raise conflict(shelf.removeprefix("/"), "", name, why)
    if kind == "Pod" and row.decode()["spec"].get("serviceAccountName") != account.name:
        raise bad_request(
            f"cannot bind token for serviceaccount {account.name!r} to pod running with different "
            "serviceaccount name."
        )
    return {"kind": kind, "name": name, "uid": row.uid}
