"""Asking whether a user may do something: built up step by step, then checked."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

from virtdeck.cel.costs import Flat
from virtdeck.cel.signatures import Library, method
from virtdeck.cel.types import BOOL, STRING, opaque

AUTHORIZER = opaque("kubernetes.authorization.Authorizer")
_PATH = opaque("kubernetes.authorization.PathCheck")
_GROUP = opaque("kubernetes.authorization.GroupCheck")
RESOURCE_CHECK = opaque("kubernetes.authorization.ResourceCheck")
_DECISION = opaque("kubernetes.authorization.Decision")
# Two of them and an expression has spent what one call may.
_CHECK = Flat(350_000)


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked: a path, or a verb on a resource."""

    group: str = ""
    resource: str = ""
    subresource: str = ""
    namespace: str = ""
    name: str = ""
    path: str = ""


# Whether someone may: (service account by namespace and name, or None for the requester; question; verb).
Ask = Callable[[tuple[str, str] | None, Question, str], bool]


@dataclass(frozen=True, slots=True)
class AuthorizerValue:
    """The variable ``authorizer``."""

    cel_type: ClassVar[str] = AUTHORIZER.name
    ask: Ask
    account: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class _Check:
    ask: Ask
    account: tuple[str, str] | None
    question: Question


@dataclass(frozen=True, slots=True)
class PathCheck(_Check):
    cel_type: ClassVar[str] = _PATH.name


@dataclass(frozen=True, slots=True)
class GroupCheck(_Check):
    cel_type: ClassVar[str] = _GROUP.name


@dataclass(frozen=True, slots=True)
class ResourceCheck(_Check):
    cel_type: ClassVar[str] = RESOURCE_CHECK.name


@dataclass(frozen=True, slots=True)
class Decision:
    """The answer."""

    cel_type: ClassVar[str] = _DECISION.name
    allowed: bool


def _account(authorizer: AuthorizerValue, namespace: str, name: str) -> AuthorizerValue:
    return replace(authorizer, account=(namespace, name))


def _path(authorizer: AuthorizerValue, path: str) -> PathCheck:
    return PathCheck(authorizer.ask, authorizer.account, Question(path=path))


def _group(authorizer: AuthorizerValue, group: str) -> GroupCheck:
    return GroupCheck(authorizer.ask, authorizer.account, Question(group=group))


def _resource(check: GroupCheck, resource: str) -> ResourceCheck:
    return ResourceCheck(check.ask, check.account, replace(check.question, resource=resource))


def _narrowed(field: str) -> Callable[[ResourceCheck, str], ResourceCheck]:
    return lambda check, value: replace(check, question=replace(check.question, **{field: value}))


def _check(check: PathCheck | ResourceCheck, verb: str) -> Decision:
    return Decision(check.ask(check.account, check.question, verb))


AUTHORIZATION: Library = {
    "serviceAccount": (method(AUTHORIZER, AUTHORIZER, STRING, STRING, run=_account),),
    "path": (method(_PATH, AUTHORIZER, STRING, run=_path),),
    "group": (method(_GROUP, AUTHORIZER, STRING, run=_group),),
    "resource": (method(RESOURCE_CHECK, _GROUP, STRING, run=_resource),),
    **{
        field: (method(RESOURCE_CHECK, RESOURCE_CHECK, STRING, run=_narrowed(field)),)
        for field in ("subresource", "namespace", "name")
    },
    # Rights here do not depend on selectors, so those change no answer.
    **{
        name: (method(RESOURCE_CHECK, RESOURCE_CHECK, STRING, run=lambda check, _selector: check),)
        for name in ("fieldSelector", "labelSelector")
    },
    "check": (
        method(_DECISION, _PATH, STRING, run=_check, cost=_CHECK),
        method(_DECISION, RESOURCE_CHECK, STRING, run=_check, cost=_CHECK),
    ),
    "allowed": (method(BOOL, _DECISION, run=lambda decision: decision.allowed),),
    "reason": (method(STRING, _DECISION, run=lambda decision: ""),),
    "errored": (method(BOOL, _DECISION, run=lambda decision: False),),
    "error": (method(STRING, _DECISION, run=lambda decision: ""),),
}
