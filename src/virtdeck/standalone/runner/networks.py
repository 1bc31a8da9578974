"""Each pod's network namespace with its address; a few are made beforehand."""

import secrets
import shutil
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import anyio
import msgspec
import structlog

from virtdeck.basis.errors import VirtdeckError
from virtdeck.standalone.runner.cni import Attachment, Network, attach, detach
from virtdeck.standalone.runner.mounts import mounts_below
from virtdeck.standalone.runner.namespaces import (
    FOLDER,
    make_network_namespace,
    network_namespaces,
    remove_network_namespace,
)

INTERFACE = "eth0"
_RETRY_SECONDS = 10.0
_SETTLE_SECONDS = 1.0

_log = structlog.get_logger()


class PodNetwork(msgspec.Struct, frozen=True, kw_only=True):
    """One namespace. pod: the uid of the pod that has it, empty while it waits for one."""

    name: str
    addresses: tuple[str, ...]
    pod: str = ""

    @property
    def path(self) -> str:
        return str(FOLDER / self.name)


class Networks:
    """All network namespaces of this instance, noted in ``folder`` one file each."""

    def __init__(self, folder: Path, plugins: Path, network: Network, prefix: str, ready: int) -> None:
        self._folder = folder
        self._plugins = plugins
        self._network = network
        self._prefix = prefix
        self._wanted = ready
        self._wake = anyio.Event()
        self._waiting: list[PodNetwork] = []
        self._taken: dict[str, PodNetwork] = {}

    async def adopt(self) -> None:
        """What earlier runs have left is known again; what is half-made or has lost its note is gone."""
        self._folder.mkdir(parents=True, exist_ok=True)
        there = set(network_namespaces(self._prefix))
        for path in self._folder.glob("*.json"):
            noted = _read(path)
            if noted is None or noted.name not in there:
                await self._discard(path.stem)
            elif noted.pod:
                self._taken[noted.pod] = noted
            else:
                self._waiting.append(noted)
        known = {noted.name for noted in (*self._waiting, *self._taken.values())}
        for name in there - known:
            await self._discard(name)

    def forget_leases(self) -> None:
        """After a reboot no address is in use; what was noted is worthless."""
        shutil.rmtree(self._folder, ignore_errors=True)
        shutil.rmtree(self._network.data_dir, ignore_errors=True)

    async def acquire(self, pod: str) -> PodNetwork:
        """The pod's network, the same at each call. Raises: HostFault."""
        if pod in self._taken:
            return self._taken[pod]
        found = self._waiting.pop() if self._waiting else await self._make()
        taken = msgspec.structs.replace(found, pod=pod)
        self._taken[pod] = taken
        self._note(taken)
        self._wake.set()
        return taken

    async def release(self, pod: str) -> None:
        """The pod's namespace, interface and address are gone. Raises: HostFault; then call again."""
        taken = self._taken.get(pod)
        if taken is not None:
            await self._discard(taken.name)
            self._taken.pop(pod, None)

    def pods(self) -> Iterable[str]:
        """The pods that have a network."""
        return tuple(self._taken)

    async def discard_ready(self) -> None:
        """No namespace waits for a pod any more; what cannot be removed is adopted by the next start."""
        while self._waiting:
            with suppress(VirtdeckError):
                await self._discard(self._waiting.pop().name)

    async def run(self) -> None:
        """Keeps as many namespaces ready as wanted, until cancelled."""
        while True:
            self._wake = anyio.Event()
            try:
                while len(self._waiting) < self._wanted:
                    self._waiting.append(await self._make())
            except VirtdeckError as fault:
                _log.error("network_not_made", problem=fault.message)
                with anyio.move_on_after(_RETRY_SECONDS):
                    await anyio.sleep_forever()
                continue
            await self._wake.wait()
            await anyio.sleep(
                _SETTLE_SECONDS
            )  # the pod that took one starts now: it needs the processor more

    async def _make(self) -> PodNetwork:
        name = f"{self._prefix}{secrets.token_hex(4)}"
        try:
            path = await anyio.to_thread.run_sync(make_network_namespace, name)
            addresses = await attach(self._plugins, self._network, self._attachment(name, str(path)))
        except BaseException:
            with anyio.CancelScope(shield=True), anyio.move_on_after(5), suppress(VirtdeckError):
                await self._discard(name)
            raise
        made = PodNetwork(name=name, addresses=addresses)
        self._note(made)
        return made

    async def _discard(self, name: str) -> None:
        path = str(FOLDER / name)
        # A plain file is what a reboot leaves; without a namespace CNI still gives the lease back.
        present = path if mounts_below(path) else ""
        await detach(self._plugins, self._network, self._attachment(name, present))
        await anyio.to_thread.run_sync(remove_network_namespace, name)
        (self._folder / f"{name}.json").unlink(missing_ok=True)

    def _attachment(self, name: str, path: str) -> Attachment:
        return Attachment(container=name, namespace=path, interface=INTERFACE)

    def _note(self, network: PodNetwork) -> None:
        path = self._folder / f"{network.name}.json"
        temporary = path.with_suffix(".new")
        temporary.write_bytes(msgspec.json.encode(network))
        temporary.rename(path)


def _read(path: Path) -> PodNetwork | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=PodNetwork)
    except msgspec.DecodeError:
        return None
