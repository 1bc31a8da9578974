"""Tasks on disk: one SQLite file, a bounded number of rows."""

from collections.abc import Iterable
from pathlib import Path

import apsw
import msgspec

from virtdeck.basis.errors import HostFault
from virtdeck.gateway.tasks.task import Task

FORMAT = 1
KEPT = 1000
TABLE = """
CREATE TABLE IF NOT EXISTS tasks (
  id TEXT PRIMARY KEY, namespace TEXT NOT NULL, name TEXT NOT NULL, state TEXT NOT NULL,
  started REAL NOT NULL, body BLOB NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS tasks_started ON tasks (started);
CREATE INDEX IF NOT EXISTS tasks_target ON tasks (namespace, name, started);
"""


class TaskStore:
    """The newest tasks. Calls take well under a millisecond and are made on the event loop."""

    def __init__(self, path: Path | str) -> None:
        try:
            self._db = apsw.Connection(str(path))
            self._db.set_busy_timeout(2000)
            self._db.execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;")
            self._prepare()
        except apsw.Error as fault:
            raise HostFault(f"the task list {path} cannot be opened: {fault}") from fault

    def _prepare(self) -> None:
        version = self._db.pragma("user_version")
        if not isinstance(version, int) or version > FORMAT:
            raise HostFault(
                f"the task list has format {version}, which a newer virtdeck wrote; this one knows {FORMAT}"
            )
        self._db.execute(TABLE)
        self._db.pragma("user_version", FORMAT)

    def close(self) -> None:
        self._db.close()

    def put(self, task: Task) -> None:
        """The task is kept as it is now; the oldest finished ones go when there are too many."""
        body = msgspec.json.encode(task)
        row = (task.id, task.namespace, task.name, task.state, task.started.timestamp(), body)
        self._db.execute("INSERT OR REPLACE INTO tasks VALUES (?, ?, ?, ?, ?, ?)", row)

    def trim(self, kept: int = KEPT) -> None:
        """Only the newest ``kept`` tasks and those that still run are left."""
        self._db.execute(
            "DELETE FROM tasks WHERE state != 'running' AND id NOT IN "
            "(SELECT id FROM tasks ORDER BY started DESC LIMIT ?)",
            (kept,),
        )

    def get(self, task_id: str) -> Task | None:
        return next(iter(self._read("SELECT body FROM tasks WHERE id = ?", (task_id,))), None)

    def newest(self, limit: int = 100) -> list[Task]:
        return self._read("SELECT body FROM tasks ORDER BY started DESC LIMIT ?", (limit,))

    def running(self) -> list[Task]:
        return self._read("SELECT body FROM tasks WHERE state = 'running' ORDER BY started", ())

    def of(self, namespace: str, name: str, limit: int = 50) -> list[Task]:
        """The newest tasks about one machine."""
        query = "SELECT body FROM tasks WHERE namespace = ? AND name = ? ORDER BY started DESC LIMIT ?"
        return self._read(query, (namespace, name, limit))

    def _read(self, query: str, values: tuple[str | int, ...]) -> list[Task]:
        rows: Iterable[tuple[bytes]] = self._db.execute(query, values)
        return [msgspec.json.decode(body, type=Task) for (body,) in rows]
