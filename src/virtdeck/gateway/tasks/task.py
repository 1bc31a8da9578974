"""One task as a value."""

from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Literal

TaskState = Literal["running", "done", "failed"]


@dataclass(frozen=True)
class Step:
    """Something that was reached, and when. ``text`` is a marked message."""

    text: str
    at: datetime


@dataclass(frozen=True)
class Task:
    """An act of a person on one object.

    act: key of ``views.powers.ACTS``, or "create" or "edit". instance: uid that the machine's instance had
    when the task began. deadline: when it is given up.
    """

    id: str
    actor: str
    act: str
    namespace: str
    name: str
    started: datetime
    deadline: datetime
    instance: str = ""
    state: TaskState = "running"
    steps: tuple[Step, ...] = field(default=())
    cause: str = ""
    ended: datetime | None = None

    def reached(self, text: str, now: datetime) -> "Task":
        """The task with one more step, unless that was the last one already."""
        if self.steps and self.steps[-1].text == text:
            return self
        return replace(self, steps=(*self.steps[-19:], Step(text, now)))

    def done(self, now: datetime) -> "Task":
        return replace(self, state="done", ended=now)

    def failed(self, cause: str, now: datetime) -> "Task":
        return replace(self, state="failed", cause=cause, ended=now)

    @property
    def url(self) -> str:
        return f"/tasks/{self.id}"

    @property
    def target_url(self) -> str:
        return f"/ns/{self.namespace}/vms/{self.name}"
