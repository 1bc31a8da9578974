"""Who a caller is."""

from dataclasses import dataclass
from typing import Any

AUTHENTICATED = "system:authenticated"
UNAUTHENTICATED = "system:unauthenticated"
MASTERS = "system:masters"
_ACCOUNT = "system:serviceaccount:"


@dataclass(frozen=True)
class User:
    """A name, groups, and whatever else an authenticator knows. ``extra`` as sorted pairs, to be hashable."""

    name: str
    groups: tuple[str, ...] = ()
    uid: str = ""
    extra: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The user as authentication.k8s.io UserInfo."""
        info: dict[str, Any] = {"username": self.name, "groups": list(self.groups)}
        if self.uid:
            info["uid"] = self.uid
        if self.extra:
            info["extra"] = {key: list(values) for key, values in self.extra}
        return info

    @property
    def is_anonymous(self) -> bool:
        return UNAUTHENTICATED in self.groups


ANONYMOUS = User("system:anonymous", (UNAUTHENTICATED,))
# What this server itself does, without a request.
SELF = User("system:apiserver", (MASTERS,))


def account_name(namespace: str, name: str) -> str:
    """A ServiceAccount's user name."""
    return f"{_ACCOUNT}{namespace}:{name}"


def account_groups(namespace: str) -> tuple[str, ...]:
    """The groups that every ServiceAccount of a namespace is in."""
    return ("system:serviceaccounts", f"system:serviceaccounts:{namespace}")


def parse_account(user: str) -> tuple[str, str] | None:
    """Namespace and name of a ServiceAccount's user name; None for any other user."""
    if not user.startswith(_ACCOUNT):
        return None
    namespace, _, name = user.removeprefix(_ACCOUNT).partition(":")
    return (namespace, name) if namespace and name else None
