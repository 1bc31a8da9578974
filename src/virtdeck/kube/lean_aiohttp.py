"""aiohttp, loaded without the host's certificate bundle; whoever needs aiohttp takes it from here.

At import it builds a default TLS context, which reads the whole bundle: 45 ms and 1.6 MB in each process that
nobody here uses, for each access brings a context of its own.
"""

import os

_KEPT = os.environ.get("SSL_CERT_FILE")
os.environ["SSL_CERT_FILE"] = os.devnull
try:
    import aiohttp
finally:
    if _KEPT is None:
        del os.environ["SSL_CERT_FILE"]
    else:
        os.environ["SSL_CERT_FILE"] = _KEPT

__all__ = ["aiohttp"]
