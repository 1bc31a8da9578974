"""One request with everything known about it."""

import re
from dataclasses import dataclass, field
from typing import Any

from virtdeck.serving.asgi import Receive, Scope, Send
from virtdeck.standalone.apiserver.access.identity import User
from virtdeck.standalone.apiserver.problems import bad_request
from virtdeck.standalone.apiserver.requests.targets import Query, Target, first, is_true

STRICTNESS = ("Ignore", "Warn", "Strict")
_NUMBER = re.compile(r"[+-]?[0-9]+")
_MOST_DIGITS = 40  # of a number that is looked at


@dataclass
class Call:
    """A request after authentication. ``warnings`` become Warning headers of the answer."""

    method: str
    target: Target
    query: Query
    headers: dict[str, str]
    user: User
    scope: Scope
    receive: Receive
    send: Send
    caller: User | None = None  # who sent it, if that is not ``user`` but somebody acting as them
    body: Any = None  # the object that was sent, once it has been read
    answer: Any = None  # and the one that was answered
    decision: str = ""  # allow or forbid, once that is known, and by which rule
    why: str = ""
    warnings: list[str] = field(default_factory=list)
    annotations: dict[str, str] = field(default_factory=dict)  # what admission notes for the audit log
    doubled: tuple[str, ...] = ()  # fields that the body gives more than once

    def parameter(self, name: str, default: str = "") -> str:
        return first(self.query, name, default)

    def flag(self, name: str) -> bool:
        return is_true(self.query, name)

    def number(self, name: str) -> int | None:
        """A parameter that is a number; None when it is absent or empty. Raises: StatusError 400."""
        text = self.parameter(name)
        if not text:
            return None
        if not _NUMBER.fullmatch(text):
            raise bad_request(f'strconv.ParseInt: parsing "{text}": invalid syntax')
        if len(text) > _MOST_DIGITS or not -(2**63) <= int(text) < 2**63:
            raise bad_request(f'strconv.ParseInt: parsing "{text}": value out of range')
        return int(text)

    @property
    def dry_run(self) -> bool:
        """Whether nothing shall be stored."""
        return "All" in self.query.get("dryRun", [])

    @property
    def strictness(self) -> str:
        """What is to be done with unknown fields: Ignore, Warn or Strict."""
        return self.parameter("fieldValidation") or "Warn"

    @property
    def field_manager(self) -> str:
        """Who owns the fields that this request writes."""
        agent = self.headers.get("user-agent", "").partition("/")[0]
        named = "".join(sign for sign in agent if sign.isprintable())[:128]
        return self.parameter("fieldManager") or named or "unknown"

    def annotate(self, name: str, text: str) -> None:
        self.annotations[name] = text

    def warn(self, text: str) -> None:
        if text not in self.warnings:
            self.warnings.append(text)


class Pieces(list[bytes]):
    """A body in parts that are never joined: a list of thousands is sent from where its objects lie."""


@dataclass(frozen=True)
class Reply:
    """A whole answer. body: of JSON unless ``content_type`` says otherwise; bytes and Pieces are sent so."""

    body: Any
    code: int = 200
    content_type: str = "application/json"
    headers: tuple[tuple[str, str], ...] = ()
