"""What is used of uvicorn, loaded without its command line; whoever needs uvicorn takes it from here.

The package loads ``uvicorn.main`` with anything of it, and with that click, multiprocessing and its
supervisors: 1.5 MB in each process that serves, for a program that nobody here starts.
"""

import sys
from types import ModuleType


def _without_command_line() -> ModuleType:
    """A stand-in with the names that the package takes from ``uvicorn.main``."""
    absent = ModuleType("uvicorn.main")
    vars(absent).update(Server=None, main=None, run=None)
    return absent


_IS_LOADED = "uvicorn" in sys.modules
if not _IS_LOADED:
    sys.modules["uvicorn.main"] = _without_command_line()
try:
    from uvicorn.config import Config
    from uvicorn.protocols.http.flow_control import FlowControl
    from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
    from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
    from uvicorn.server import ServerState
finally:
    if not _IS_LOADED:
        del sys.modules["uvicorn.main"]

__all__ = ["Config", "FlowControl", "HttpToolsProtocol", "ServerState", "WebSocketsSansIOProtocol"]
