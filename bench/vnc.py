"""Bytes a second and round trips of the VNC path, beside websockify before the same VNC server."""

import json
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.request import Request

from bench.installed import ENVIRONMENTS, make_environment
from bench.lists import Browser, logged_in, read
from bench.reader import KEY, Reader
from e2e.machines import kernel_boot_vmi
from e2e.product import Product, free_address, until

NAME = "bench-vnc"
ROUNDS = 5
FLOOD_SECONDS = 2.0
ECHOES = 300
# Its dependencies are for masking what clients send, and for tokens; neither is on the measured path.
WEBSOCKIFY = ("--no-deps", "websockify==0.13.0")


@dataclass(frozen=True)
class Paths:
    """Medians over rounds that took turns."""

    ours_bytes_per_second: float
    websockify_bytes_per_second: float
    ratio: float
    ours_ms: float
    websockify_ms: float


def compare(product: Product) -> Paths:
    """Both paths to one fake VNC server, which stands in a real VMI's pod."""
    product.apply(kernel_boot_vmi(NAME))
    product.wait_for_phase(NAME, "Running")
    try:
        with fake_screen(product) as screen, websockify(screen) as port:
            browser = logged_in(product)
            ours: Callable[[], Reader] = lambda: open_ours(product, browser)  # noqa: E731
            theirs: Callable[[], Reader] = lambda: Reader("127.0.0.1", port, "/websockify")  # noqa: E731
            return measure(ours, theirs)
    finally:
        product.kubectl("delete", "vmi", NAME, "--timeout=60s")


def measure(ours: Callable[[], Reader], theirs: Callable[[], Reader]) -> Paths:
    """Rounds of each in turn, so that what else the host does hits both."""
    floods = [(flood(ours), flood(theirs)) for _ in range(ROUNDS)]
    echoes = [(echo(ours), echo(theirs)) for _ in range(ROUNDS)]
    return Paths(
        statistics.median(pair[0] for pair in floods),
        statistics.median(pair[1] for pair in floods),
        statistics.median(pair[0] / pair[1] for pair in floods),
        statistics.median(pair[0] for pair in echoes),
        statistics.median(pair[1] for pair in echoes),
    )


def flood(connect: Callable[[], Reader]) -> float:
    """Bytes a second that arrive, after a beginning that is not counted."""
    with connect() as reader:
        reader.greet()
        reader.ask_for_picture()
        reader.discard(0.3)
        started = time.monotonic()
        count = reader.discard(FLOOD_SECONDS)
        return count / (time.monotonic() - started)


def echo(connect: Callable[[], Reader]) -> float:
    """Milliseconds from a key to its echo, the median of many."""
    with connect() as reader:
        reader.greet()
        times = []
        for _ in range(ECHOES):
            started = time.monotonic()
            reader.send(KEY)
            reader.take(len(KEY))
            times.append((time.monotonic() - started) * 1000)
    return statistics.median(times)


def open_ours(product: Product, browser: Browser) -> Reader:
    """A console as a browser opens it: a ticket, then the WebSocket."""
    page = read(browser, product, "").decode()
    csrf = page.partition('"X-CSRF-Token": "')[2].partition('"')[0]
    wish = json.dumps({"namespace": "default", "name": NAME, "kind": "vnc"}).encode()
    headers = {"Content-Type": "application/json", "X-CSRF-Token": csrf, "Origin": product.url}
    answer = browser.opener.open(Request(f"{product.url}/ws-tickets", wish, headers), timeout=30).read()
    cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in browser.cookies)
    host, _, port = product.listen.rpartition(":")
    path = f"/ws/ns/default/vms/{NAME}/vnc?ticket={json.loads(answer)['ticket']}"
    return Reader(host, int(port), path, {"Origin": product.url, "Cookie": cookies})


@contextmanager
def fake_screen(product: Product) -> Iterator[Path]:
    """The path of the VMI's VNC socket, behind which the fake server listens instead of QEMU."""
    [pod] = (product.get("vmi", NAME) or {})["status"]["activePods"]
    private = product.state / "kubelet/pods" / pod / "volumes/kubernetes.io~empty-dir/private"
    [launcher] = product.processes_of("libvirtd")
    screen = private / "vnc.sock"
    screen.unlink()
    program = Path(__file__).with_name("fake_screen.py")
    command = [sys.executable, str(program), str(screen), str(launcher)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as server:
        try:
            if server.stdout is None or server.stdout.readline() != b"listening\n":
                raise RuntimeError("the fake VNC server does not listen")
            yield screen
        finally:
            server.kill()


@contextmanager
def websockify(screen: Path) -> Iterator[int]:
    """The port of a websockify before the same socket."""
    folder = Path(tempfile.mkdtemp(prefix="virtdeck-websockify-", dir=ENVIRONMENTS))
    make_environment(folder, *WEBSOCKIFY)
    address = free_address()
    # A socket's path may be no longer than 107 bytes.
    short = folder / "vnc.sock"
    short.symlink_to(screen)
    program = [str(folder / "bin/websockify"), address, f"--unix-target={short}"]
    with subprocess.Popen(program, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            port = int(address.rpartition(":")[2])
            until(lambda: listens(port), bool, 20)
            yield port
        finally:
            process.kill()
            shutil.rmtree(folder, ignore_errors=True)


def listens(port: int) -> bool:
    """Somebody takes connections there."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
