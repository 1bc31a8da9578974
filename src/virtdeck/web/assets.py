"""Static files under names that change with their content, so that a browser may keep them for ever."""

import gzip
import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

HERE = Path(__file__).parent
KEEP = "public, max-age=31536000, immutable"
LARGEST_KEPT = 256 << 10  # bytes, packed: what is larger is asked for rarely and packed anew each time
TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".json": "application/json",
}
CONSOLE_SCRIPTS = (
    "vendor/htmx.js",
    "vendor/hx-sse.js",
    "static/scripts/page.js",
    "static/scripts/live.js",
    "static/scripts/dialogs.js",
)
FOLDERS = (("static", ""), ("static/screens", "screens/"), ("vendor", "vendor/"))

Source = tuple[Path, ...] | bytes
"""What a file is made of: other files one after another, or its content."""


def own_files() -> dict[str, Source]:
    """Every file that a browser may ask for, by its name below /static/<hash>/."""
    found: dict[str, Source] = {
        "console.css": tuple(sorted((HERE / "static" / "styles").glob("*.css"))),
        "console.js": tuple(HERE / name for name in CONSOLE_SCRIPTS),
    }
    for folder, prefix in FOLDERS:
        for path in sorted((HERE / folder).glob("*.*")):
            if path.suffix in TYPES:
                found[prefix + path.name] = (path,)
    return found


class Assets:
    """The static files of this version; an ASGI application to mount at ``/static``."""

    def __init__(self, files: Mapping[str, Source] | None = None) -> None:
        self._files = dict(own_files() if files is None else files)
        self._packed: dict[str, bytes] = {}
        digest = hashlib.sha256()
        for name in sorted(self._files):
            digest.update(name.encode() + b"\0" + hashlib.sha256(self.read(name)).digest())
        self.digest = digest.hexdigest()[:16]

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def path(self, name: str) -> str:
        """Where the file is served, from the console's root. Raises: KeyError."""
        if name not in self._files:
            raise KeyError(name)
        return f"/static/{self.digest}/{name}"

    def read(self, name: str) -> bytes:
        """The file's content; scripts that become one file are set apart by an empty statement."""
        source = self._files[name]
        if isinstance(source, bytes):
            return source
        between = b"\n;\n" if name.endswith(".js") else b"\n"
        return between.join(path.read_bytes() for path in source)

    def packed(self, name: str) -> bytes:
        """The file gzipped."""
        if name in self._packed:
            return self._packed[name]
        packed = gzip.compress(self.read(name), 9, mtime=0)
        if len(packed) <= LARGEST_KEPT:
            self._packed[name] = packed
        return packed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"].removeprefix(scope.get("root_path", "")).lstrip("/")
        await self.answer(path, dict(scope["headers"]))(scope, receive, send)

    def answer(self, path: str, headers: Mapping[bytes, bytes]) -> Response:
        """What a request for ``<hash>/<name>`` gets; an old hash gets today's file, not to be kept."""
        digest, _, name = path.partition("/")
        if name not in self._files:
            return Response("no such file\n", 404, {"Cache-Control": "no-store"}, "text/plain")
        keep = KEEP if digest == self.digest else "no-cache"
        answer = {"Cache-Control": keep, "Vary": "Accept-Encoding", "X-Content-Type-Options": "nosniff"}
        wanted = b"gzip" in headers.get(b"accept-encoding", b"")
        body = self.packed(name) if wanted else self.read(name)
        if wanted:
            answer["Content-Encoding"] = "gzip"
        return Response(body, 200, answer, TYPES[Path(name).suffix])
