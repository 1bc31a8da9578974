"""A write as expressions see it."""

from typing import Any

from virtdeck.cel.library.authorization import (
    AuthorizerValue,
    Question,
    ResourceCheck,
)
from virtdeck.standalone.apiserver.access.identity import User, account_groups, account_name
from virtdeck.standalone.apiserver.access.rbac import Act, Authorizer
from virtdeck.standalone.apiserver.verbs.attributes import Attributes

Obj = dict[str, Any]


def request_values(attributes: Attributes, review: Obj, authorizer: Authorizer) -> dict[str, Any]:
    """The variables of expressions about a write. review: the request part of its AdmissionReview."""
    request = {name: value for name, value in review.items() if name not in ("uid", "object", "oldObject")}
    asked = AuthorizerValue(_asker(attributes.user, authorizer))
    question = Question(
        group=attributes.group,
        resource=attributes.plural,
        subresource=attributes.subresource,
        namespace=attributes.namespace,
        name=attributes.name,
    )
    return {
        "object": review["object"],
        "oldObject": review["oldObject"],
        "request": request,
        "authorizer": asked,
        "authorizer.requestResource": ResourceCheck(asked.ask, None, question),
    }


def _asker(user: User, authorizer: Authorizer) -> Any:
    def ask(account: tuple[str, str] | None, question: Question, verb: str) -> bool:
        who = user
        if account is not None:
            groups = (*account_groups(account[0]), "system:authenticated")
            who = User(account_name(*account), groups)
        if question.path:
            return authorizer.allows(who, Act(verb, path=question.path))
        named = question.resource + (f"/{question.subresource}" if question.subresource else "")
        act = Act(verb, question.group, named, question.namespace, question.name)
        return authorizer.allows(who, act)

    return ask
