"""TLS contexts that follow their files: certificates are renewed while the process runs on."""

import ssl
from collections.abc import Sequence
from pathlib import Path
from typing import Any

Stamp = tuple[tuple[int, int, int], ...]


class RenewedContext(ssl.SSLContext):
    """A context whose next connection uses what its files hold by then.

    Connections that stand keep what they began with. An authority that goes from its file is trusted until
    the process ends. Files that cannot be used (half written, damaged) change nothing.
    """

    _pair: tuple[str, str] | None = None
    _authorities: Sequence[str] = ()
    _stamp: Stamp = ()

    def follow(self, cert: str | None, key: str | None, *authorities: str) -> None:
        """The files are loaded, now and again whenever they change. Raises: OSError, ssl.SSLError."""
        self._pair = (cert, key or cert) if cert else None
        self._authorities = authorities
        self._stamp = self._seen()
        self._load(self)

    def wrap_bio(self, *arguments: Any, **named: Any) -> ssl.SSLObject:
        """As the base class; asyncio calls it for each connection."""
        self._refresh()
        return super().wrap_bio(*arguments, **named)

    def wrap_socket(self, *arguments: Any, **named: Any) -> ssl.SSLSocket:
        """As the base class."""
        self._refresh()
        return super().wrap_socket(*arguments, **named)

    def _refresh(self) -> None:
        try:
            stamp = self._seen()
            if stamp == self._stamp:
                return
            # A pair that does not fit would leave this context with half of it: another one tries first.
            self._load(ssl.SSLContext(self.protocol))
        except OSError:  # ssl.SSLError is one; they are looked at again with the next connection
            return
        self._load(self)
        self._stamp = stamp

    def _seen(self) -> Stamp:
        """A key is written before its certificate, so the certificate alone says when both are new."""
        found = [Path(path).stat() for path in (*(self._pair or ())[:1], *self._authorities)]
        return tuple((one.st_ino, one.st_size, one.st_mtime_ns) for one in found)

    def _load(self, context: ssl.SSLContext) -> None:
        if self._pair is not None:
            context.load_cert_chain(*self._pair)
        for path in self._authorities:
            context.load_verify_locations(path)
