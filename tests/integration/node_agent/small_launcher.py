"""A launcher without libvirt: real sockets and the real protocol, a guest that only exists in its state.

Run as: small_launcher.py FOLDER NAME NAMESPACE UID. Its vnc.sock repeats what it hears after a greeting, and
its serial sockets repeat everything.
"""

import os
import signal
import socket
import socketserver
import sys
import threading
from pathlib import Path
from typing import Any

from virtdeck.wire import launcher as wire
from virtdeck.wire.codec import RequestDecoder, encode_message

SINCE = "2026-11-30T12:00:00Z"
DOMAIN = wire.DomainFacts(uuid="u", machine="pc-q35-7.2", memory_bytes=128 << 20, vcpus=1)


class Guest:
    """The state that is told, and whom to tell."""

    def __init__(self) -> None:
        self.state = wire.LauncherState(serial=0, phase="NoDomain", since=SINCE)
        self.listener: socket.socket | None = None
        self.lock = threading.Lock()

    def become(self, phase: str, **fields: Any) -> None:
        with self.lock:
            known = {"domain": None if phase == "NoDomain" else DOMAIN} | fields
            serial = self.state.serial + 1
            self.state = wire.LauncherState(serial=serial, phase=phase, since=SINCE, **known)  # type: ignore[arg-type]
            if self.listener is not None:
                self.listener.sendall(encode_message(self.state))


def answer(guest: Guest, request: wire.Request) -> wire.Message:
    match request:
        case wire.Sync(id=number, vmi=vmi):
            if vmi["metadata"].get("annotations", {}).get("test/refuse"):
                return wire.Failed(id=number, reason="Invalid", message="spec.domain: not offered")
            if guest.state.phase == "NoDomain":
                guest.become("Starting")
                guest.become("Running")
            return wire.Done(id=number)
        case wire.Pause(id=number):
            guest.become("Paused", pause_reason="PausedByUser")
        case wire.Unpause(id=number):
            guest.become("Running")
        case wire.Shutdown(id=number):
            guest.become("Ended", end_reason="Shutdown")
        case wire.Destroy(id=number):
            guest.become("Ended", end_reason="Destroyed")
        case wire.TakeScreenshot(id=number):
            return wire.Screenshot(id=number, png=b"\x89PNG")
        case wire.ReadGuestInfo(id=number):
            return wire.GuestInfo(id=number, agent=guest.state.agent, users=({"userName": "root"},))
        case wire.ReadStats(id=number):
            return wire.Stats(id=number, values={"cpu.time": 1_000_000_000})
        case wire.Farewell(id=number):
            os.kill(os.getpid(), signal.SIGTERM)
    return wire.Done(id=request.id)


def converse(guest: Guest, channel: socket.socket, hello: wire.Hello) -> None:
    decoder = RequestDecoder()
    with guest.lock:
        channel.sendall(encode_message(hello) + encode_message(guest.state))
        guest.listener = channel
    while data := channel.recv(65536):
        for request in decoder.feed(data):
            reply = answer(guest, request)
            with guest.lock:
                channel.sendall(encode_message(reply))


class Echo(socketserver.BaseRequestHandler):
    def handle(self) -> None:
        while data := self.request.recv(65536):
            self.request.sendall(data)


class Screen(socketserver.BaseRequestHandler):
    def handle(self) -> None:
        self.request.sendall(b"RFB 003.008\n")
        while data := self.request.recv(65536):
            self.request.sendall(data)


def serve(path: str, handler: type[socketserver.BaseRequestHandler]) -> None:
    server = socketserver.ThreadingUnixStreamServer(path, handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()


def main() -> None:
    folder, name, namespace, uid = Path(sys.argv[1]), *sys.argv[2:5]
    hello = wire.Hello(versions=(1,), name=name, namespace=namespace, uid=uid)
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    os.chdir(folder)  # the folder's own path is longer than a socket's may be
    for handler, path in ((Screen, "vnc.sock"), (Echo, "serial0.sock"), (Echo, "serial0-replay.sock")):
        serve(path, handler)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind("launcher.sock")
    listener.listen()
    guest = Guest()
    while True:
        channel, _ = listener.accept()
        threading.Thread(target=converse, args=(guest, channel, hello), daemon=True).start()


main()
