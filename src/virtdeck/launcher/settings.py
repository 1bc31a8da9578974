"""Where things are in the launcher's container, and how long it waits."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    """The pod's mounts as docs/contracts.md has them; ``root`` moves them all, to run without a container."""

    name: str
    namespace: str
    uid: str
    root: str = ""
    farewell_seconds: float = 60.0  # virt-handler may be restarting; a VM that ended must not wait for ever
    terminated_farewell_seconds: float = 10.0  # the pod is being deleted: less than its remaining grace
    lost_farewell_seconds: float = 5.0  # without libvirt the guest runs uncontrolled: end it soon
    daemon_seconds: float = 30.0  # a cold start under load takes 2 s

    @property
    def private(self) -> str:
        return f"{self.root}/run/kubevirt-private"

    @property
    def libvirt(self) -> str:
        return f"{self.root}/run/libvirt"

    @property
    def ephemeral(self) -> str:
        return f"{self.root}/run/kubevirt-ephemeral-disks"

    @property
    def secrets(self) -> str:
        return f"{self.root}/run/kubevirt/secrets"

    @property
    def files(self) -> str:
        """A folder each for the volumes that hand files to the guest."""
        return f"{self.root}/run/kubevirt/files"

    @property
    def serial_guest(self) -> str:
        """QEMU's own end of the serial port; outside of the folder that virt-handler dials into."""
        return f"{self.libvirt}/serial0-guest.sock"

    def qemu_pid(self, domain: str) -> str:
        """Where libvirt writes QEMU's pid."""
        return f"{self.libvirt}/run/libvirt/qemu/run/{domain}.pid"

    def qemu_log(self, domain: str) -> str:
        """Where QEMU's own words go."""
        return f"{self.libvirt}/cache/libvirt/qemu/log/{domain}.log"

    def socket(self, name: str) -> str:
        """A socket that virt-handler dials."""
        return f"{self.private}/{name}.sock"
