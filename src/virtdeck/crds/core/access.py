"""Questions to the API server: who is this, and may they."""

from virtdeck.crds.core.meta_only import Plain
from virtdeck.crds.model import Model


class ResourceAttributes(Model, frozen=True, kw_only=True):
    """An access to an object of the API."""

    verb: str
    group: str | None = None
    version: str | None = None
    resource: str | None = None
    subresource: str | None = None
    namespace: str | None = None
    name: str | None = None


class NonResourceAttributes(Model, frozen=True, kw_only=True):
    """An access to a path."""

    path: str
    verb: str


class SubjectAccessReviewSpec(Model, frozen=True, kw_only=True):
    """May this user do that?"""

    user: str | None = None
    groups: tuple[str, ...] | None = None
    uid: str | None = None
    extra: dict[str, tuple[str, ...]] | None = None
    resource_attributes: ResourceAttributes | None = None
    non_resource_attributes: NonResourceAttributes | None = None


class SubjectAccessReviewStatus(Model, frozen=True, kw_only=True):
    """The answer. denied: nobody else may allow it."""

    allowed: bool = False
    denied: bool | None = None
    reason: str | None = None
    evaluation_error: str | None = None


class SubjectAccessReview(Plain, frozen=True, kw_only=True):
    """May this user do that?"""

    spec: SubjectAccessReviewSpec
    status: SubjectAccessReviewStatus | None = None


class TokenReviewSpec(Model, frozen=True, kw_only=True):
    """A bearer token, and for whom it must be meant."""

    token: str | None = None
    audiences: tuple[str, ...] | None = None


class UserInfo(Model, frozen=True, kw_only=True):
    """Somebody whom the API server knows."""

    username: str | None = None
    uid: str | None = None
    groups: tuple[str, ...] | None = None
    extra: dict[str, tuple[str, ...]] | None = None


class TokenReviewStatus(Model, frozen=True, kw_only=True):
    """Whose token it is."""

    authenticated: bool = False
    user: UserInfo | None = None
    audiences: tuple[str, ...] | None = None
    error: str | None = None


class TokenReview(Plain, frozen=True, kw_only=True):
    """Whose token is this?"""

    spec: TokenReviewSpec
    status: TokenReviewStatus | None = None
