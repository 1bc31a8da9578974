"""Static files under names that change with their content, so that a browser may keep them for ever."""

import gzip
import hashlib
from pathlib import Path

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

HERE = Path(__file__).parent
KEEP = "public, max-age=31536000, immutable"
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


def read_tree() -> dict[str, bytes]:
    """Every file a browser may ask for, by its name below /static/<hash>/."""
    styles = sorted((HERE / "static" / "styles").glob("*.css"))
    tree = {
        "console.css": b"\n".join(path.read_bytes() for path in styles),
        "console.js": b"\n;\n".join((HERE / name).read_bytes() for name in CONSOLE_SCRIPTS),
    }
    for folder, prefix in (
        (HERE / "static", ""),
        (HERE / "static" / "screens", "screens/"),
        (HERE / "vendor", "vendor/"),
    ):
        for path in sorted(folder.glob("*.*")):
            if path.suffix in TYPES:
                tree[prefix + path.name] = path.read_bytes()
    return tree


class Assets:
    """The static files of this version; an ASGI application to mount at ``/static``."""

    def __init__(self, tree: dict[str, bytes] | None = None) -> None:
        self._tree = read_tree() if tree is None else tree
        self._packed: dict[str, bytes] = {}
        digest = hashlib.sha256()
        for name, body in sorted(self._tree.items()):
            digest.update(name.encode() + b"\0" + hashlib.sha256(body).digest())
        self.digest = digest.hexdigest()[:16]

    def path(self, name: str) -> str:
        """Where the file is served, from the console's root. Raises: KeyError."""
        if name not in self._tree:
            raise KeyError(name)
        return f"/static/{self.digest}/{name}"

    def packed(self, name: str) -> bytes:
        """The file gzipped, kept once made."""
        if name not in self._packed:
            self._packed[name] = gzip.compress(self._tree[name], 9, mtime=0)
        return self._packed[name]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"].removeprefix(scope.get("root_path", "")).lstrip("/")
        await self.answer(path, dict(scope["headers"]))(scope, receive, send)

    def answer(self, path: str, headers: dict[bytes, bytes]) -> Response:
        """What a request for ``<hash>/<name>`` gets; an old hash gets today's file, not to be kept."""
        digest, _, name = path.partition("/")
        if name not in self._tree:
            return Response("no such file\n", 404, {"Cache-Control": "no-store"}, "text/plain")
        keep = KEEP if digest == self.digest else "no-cache"
        answer = {"Cache-Control": keep, "Vary": "Accept-Encoding", "X-Content-Type-Options": "nosniff"}
        body = self._tree[name]
        if b"gzip" in headers.get(b"accept-encoding", b"") and len(body) > 512:
            body = self.packed(name)
            answer["Content-Encoding"] = "gzip"
        return Response(body, 200, answer, TYPES[Path(name).suffix])
