"""The supervisor's one loop: child exits, notifications, commands and planned restarts."""

import json
import os
import selectors
import signal
import time
from pathlib import Path
from typing import Any

from virtdeck.standalone.supervisor import control
from virtdeck.standalone.supervisor.component import Component, Program, start_time, stop_recorded

STOP_SECONDS = 6.0


class Supervisor:
    """Runs the programs until it is told to stop."""

    def __init__(self, programs: tuple[Program, ...], run_folder: Path, socket_path: Path) -> None:
        self._run_folder = run_folder
        self._components = {program.name: _planned(program) for program in programs}
        self._selector = selectors.DefaultSelector()
        self._server = control.listen(socket_path)
        self._selector.register(self._server, selectors.EVENT_READ, self._accept)
        self._socket_path = socket_path
        self._stopping = False

    def run(self) -> None:
        """Returns when all programs have been stopped."""
        wake_read, wake_write = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.set_wakeup_fd(wake_write)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGCHLD):
            signal.signal(number, self._on_signal)
        self._selector.register(wake_read, selectors.EVENT_READ, lambda: os.read(wake_read, 4096))
        stop_leftovers(self._run_folder, tuple(self._components))
        while not self._stopping:
            self._start_due()
            for key, _ in self._selector.select(self._next_wait()):
                key.data()
            self._reap()
        self._stop_all()
        self._socket_path.unlink(missing_ok=True)

    def _on_signal(self, number: int, _frame: object) -> None:
        if number != signal.SIGCHLD:
            self._stopping = True

    def _start_due(self) -> None:
        now = time.monotonic()
        for component in self._components.values():
            if component.process or component.finished or component.retry_at > now:
                continue
            if all(self._components[name].is_satisfied for name in component.program.needs):
                self._start(component)

    def _start(self, component: Component) -> None:
        if component.notify.fileno() in self._selector.get_map():
            self._selector.unregister(component.notify)
        component.start(self._run_folder)
        self._selector.register(component.notify, selectors.EVENT_READ, component.read_notifications)

    def _next_wait(self) -> float | None:
        due = [
            c.retry_at for c in self._components.values() if not c.process and not c.finished and c.retry_at
        ]
        return max(0.0, min(due) - time.monotonic()) if due else None

    def _reap(self) -> None:
        for component in self._components.values():
            if component.process and component.process.poll() is not None:
                component.reap()

    def _accept(self) -> None:
        channel, _ = self._server.accept()
        with channel:
            channel.settimeout(1.0)
            try:
                request = json.loads(channel.makefile("rb").readline(control.MAX_LINE_BYTES))
                answer = self._answer(str(request.get("command", "")))
                channel.sendall(json.dumps(answer).encode() + b"\n")
            except (OSError, ValueError, AttributeError):
                return

    def _answer(self, command: str) -> dict[str, Any]:
        if command == "stop":
            self._stopping = True
            return {"pid": os.getpid()}
        if command.startswith("hold "):
            return self._hold(command.removeprefix("hold "))
        if command == "status":
            return {"pid": os.getpid(), "components": [_describe(c) for c in self._components.values()]}
        return {"error": f"unknown command {command!r}"}

    def _hold(self, name: str) -> dict[str, Any]:
        """The component is stopped and stays so, until the instance is started again."""
        component = self._components.get(name)
        if component is None:
            return {"error": f"no component {name!r}"}
        component.finished = True
        if component.process:
            component.process.terminate()
        return {"pid": os.getpid()}

    def _stop_all(self) -> None:
        running = [c.process for c in reversed(self._components.values()) if c.process]
        for process in running:
            process.terminate()
        deadline = time.monotonic() + STOP_SECONDS
        for process in running:
            while process.poll() is None and time.monotonic() < deadline:
                time.sleep(0.02)
            if process.poll() is None:
                process.kill()
                process.wait()
        for name in self._components:
            (self._run_folder / f"{name}.pid").unlink(missing_ok=True)


def _planned(program: Program) -> Component:
    """A component that starts at once, or after its time when it is run again and again."""
    later = time.monotonic() + program.repeat_seconds if program.repeat_seconds else 0.0
    return Component(program, retry_at=later)


def stop_leftovers(run_folder: Path, names: tuple[str, ...]) -> None:
    """No process runs that a killed supervisor left behind."""
    for name in names:
        stop_recorded(run_folder, name, _ends_within_stop_time)


def _describe(component: Component) -> dict[str, Any]:
    return {
        "name": component.program.name,
        "pid": component.pid,
        "ready": component.is_satisfied,
        "once": component.program.once or component.program.repeat_seconds > 0,
        "restarts": component.restarts,
        "lastExit": component.last_exit,
        "runningSeconds": time.monotonic() - component.started_at if component.process else None,
        "log": str(component.program.log),
    }


def _ends_within_stop_time(pid: int) -> bool:
    started = start_time(pid)
    deadline = time.monotonic() + STOP_SECONDS
    while time.monotonic() < deadline:
        if start_time(pid) != started:
            return True
        time.sleep(0.02)
    return False
