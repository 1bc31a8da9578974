"""Plays an area of the script against a server: steps in order, each to a masked answer."""

import http.client
import json
import os
import shlex
import subprocess
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.differential.answers import Answer, events, read_response, told
from tests.differential.masks import Masks
from tests.differential.paths import find, first
from tests.differential.servers import Server
from tests.differential.steps import Area, Asked, Kubectl, Request, Step, Watch

_TIMEOUT_SECONDS = 30.0
_UNTIL_SECONDS = 15.0
_EVENT_SECONDS = 5.0


class Player:
    """One area against one server. kubectl: the program for its command lines."""

    def __init__(self, server: Server, area: Area, kubectl: Path | None = None, suffix: str = "") -> None:
        self._server = server
        self._area = area
        self._kubectl = kubectl
        self._known = {**server.variables, "ns": f"d-{area.name}{suffix}"}
        self._users = {"admin": ("system:masters",), "": (), **area.users}
        self._home = server.folder / f"home-{area.name}{suffix}"

    def play(self) -> dict[str, Answer]:
        """The answer to every step, by its name; later steps are played also when earlier ones went wrong."""
        return {step.name: self._step(step) for step in self._area.steps}

    def _step(self, step: Step) -> Answer:
        deadline = time.monotonic() + _UNTIL_SECONDS
        while True:
            answer = self._once(step)
            if all(first(answer, path) == wanted for path, wanted in self._filled(step.until).items()):
                break
            if time.monotonic() > deadline:
                answer["never"] = dict(step.until)
                break
            time.sleep(0.05)
        for name, path in step.keep.items():
            self._known[name] = str(first(answer, path))
        return self._masked(step, answer)

    def _once(self, step: Step) -> Answer:
        match step:
            case Watch():
                return self._watch(step)
            case Request():
                return self._request(step)
            case Kubectl():
                return self._command(step)
            case Asked():
                return self._asked(step)
        raise TypeError(f"nobody plays {step}")

    def _masked(self, step: Step, answer: Answer) -> Answer:
        masks = Masks({name: value for name, value in self._known.items() if name not in {"ns", "port"}})
        if isinstance(step, Kubectl):
            shown = {**answer, "out": masks.printed(answer["out"]), "err": masks.printed(answer["err"])}
            return {name: shown[name] for name in step.only} if step.only else shown
        if step.only:
            chosen = {path: _ordered(path, find(answer, path)) for path in step.only}
            answer = {"code": answer.get("code")} | {
                path: masks.value(found, path.rpartition(".")[2]) for path, found in chosen.items()
            }
        masked: Answer = masks.value(answer)
        return masked

    def _filled(self, value: Any) -> Any:
        """The value with every ``<variable>`` replaced."""
        if isinstance(value, Mapping):
            return {self._filled(key): self._filled(inner) for key, inner in value.items()}
        if isinstance(value, list | tuple):
            return [self._filled(inner) for inner in value]
        if isinstance(value, str):
            if value == "<port>":
                return int(self._known["port"])
            for name, known in self._known.items():
                value = value.replace(f"<{name}>", known)
        return value

    def _connect(self, step: Request, timeout: float) -> http.client.HTTPSConnection:
        context = self._server.context(step.user if not step.bearer else "", self._users[step.user])
        connection = http.client.HTTPSConnection(
            "127.0.0.1", self._server.port, context=context, timeout=timeout
        )
        headers = {"User-Agent": "judge", **self._filled(step.headers)}
        body = step.raw.encode() if step.raw is not None else None
        if step.body is not None:
            body = json.dumps(self._filled(step.body)).encode()
            headers.setdefault("Content-Type", "application/json")
        elif body is not None:
            body = self._filled(body.decode()).encode()
        if step.bearer:
            headers["Authorization"] = f"Bearer {self._filled(step.bearer)}"
        connection.request(step.method, self._filled(step.path), body, headers)
        return connection

    def _request(self, step: Request) -> Answer:
        connection = self._connect(step, _TIMEOUT_SECONDS)
        try:
            return told(read_response(connection.getresponse()))
        finally:
            connection.close()

    def _watch(self, step: Watch) -> Answer:
        connection = self._connect(step, _EVENT_SECONDS)
        try:
            response = connection.getresponse()
            if response.status != 200:
                return told(read_response(response))
            actions = threading.Thread(target=self._play_all, args=(step.during,))
            actions.start()
            seen = list(events(response, step.events))
            actions.join()
            return {"code": 200, "type": response.headers.get("content-type"), "events": seen}
        finally:
            connection.close()

    def _play_all(self, steps: tuple[Request, ...]) -> None:
        for step in steps:
            self._step(step)

    def _asked(self, step: Asked) -> Answer:
        extension = self._server.extension
        if step.answer is not None:
            extension.answers[step.path] = step.answer
        return {"asked": extension.asked.pop(step.path, [])}

    def _command(self, step: Kubectl) -> Answer:
        if self._kubectl is None:
            raise TypeError(f"{self._area.name}: a command of kubectl in an area that is not each_kubectl's")
        config = self._server.kubeconfig(self._known["ns"])
        done = subprocess.run(
            [self._kubectl, "--kubeconfig", config, *shlex.split(self._filled(step.arguments))],
            input=self._filled(step.stdin),
            capture_output=True,
            text=True,
            timeout=_TIMEOUT_SECONDS,
            env={"HOME": str(self._home), "PATH": os.environ["PATH"]},
            check=False,
        )
        return {"exit": done.returncode, "out": done.stdout, "err": done.stderr}


def _ordered(path: str, found: list[Any]) -> list[Any]:
    """Causes come in any order, from the real server too."""
    return sorted(found, key=str) if ".causes.*" in path else found
