"""The bundled guest systems: what each likes, and the least that it runs with.

A family says what its systems have in common; a line adds name, display name, least CPUs and least memory.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

Plain = dict[str, Any]


@dataclass(frozen=True)
class Family:
    """os_type: linux, windows or bsd. icon: a word that consoles have pictures for.

    virtio: each system has a second preference, ``<name>.virtio``, for images with virtio's drivers.
    """

    os_type: str
    icon: str
    spec: Plain
    lines: str
    virtio: bool = False


@dataclass(frozen=True)
class Guest:
    """One preference."""

    name: str
    title: str
    os_type: str
    icon: str
    processors: int
    amount: str
    likes: Plain = field(default_factory=dict)

    @property
    def spec(self) -> Plain:
        """As the API has it."""
        needs = {"cpu": {"guest": self.processors}, "memory": {"guest": self.amount}}
        return self.likes | {"requirements": needs}


_VIRTIO: Plain = {"preferredDiskBus": "virtio", "preferredInterfaceModel": "virtio"}
_LINUX: Plain = {"devices": _VIRTIO | {"preferredRng": {}}}
_HYPERV: Plain = {
    "frequencies": {},
    "ipi": {},
    "reenlightenment": {},
    "relaxed": {},
    "reset": {},
    "runtime": {},
    "spinlocks": {"spinlocks": 8191},
    "synic": {},
    "synictimer": {"direct": {}},
    "tlbflush": {},
    "vapic": {},
    "vpindex": {},
}
_WINDOWS: Plain = {
    "clock": {
        "preferredClockOffset": {"utc": {}},
        "preferredTimer": {
            "hpet": {"present": False},
            "hyperv": {},
            "pit": {"tickPolicy": "delay"},
            "rtc": {"tickPolicy": "catchup"},
        },
    },
    "devices": {
        "preferredAutoattachInputDevice": True,
        "preferredDiskBus": "sata",
        "preferredInputBus": "usb",
        "preferredInputType": "tablet",
        "preferredInterfaceModel": "e1000e",
    },
    "features": {"preferredAcpi": {}, "preferredApic": {}, "preferredHyperv": _HYPERV},
    "preferredTerminationGracePeriodSeconds": 3600,
}
_MEASURED: Plain = {
    "devices": _WINDOWS["devices"] | {"preferredTPM": {}},
    "features": _WINDOWS["features"] | {"preferredSmm": {}},
    "firmware": {"preferredEfi": {"secureBoot": True}},
}

FAMILIES: tuple[Family, ...] = (
    Family("linux", "linux", _LINUX, """
linux              Linux                              1  512Mi
alpine             Alpine Linux                       1  256Mi
cirros             CirrOS                             1  128Mi
opensuse.leap      openSUSE Leap                      1  1Gi
opensuse.tumbleweed openSUSE Tumbleweed               1  1Gi
sles               SUSE Linux Enterprise Server       1  1Gi
"""),
    Family("linux", "debian", _LINUX, """
debian             Debian                             1  512Mi
debian.11          Debian 11 (bullseye)               1  512Mi
debian.12          Debian 12 (bookworm)               1  512Mi
debian.13          Debian 13 (trixie)                 1  512Mi
"""),
    Family("linux", "ubuntu", _LINUX, """
ubuntu             Ubuntu                             1  1Gi
ubuntu.22.04       Ubuntu 22.04 LTS                   1  1Gi
ubuntu.24.04       Ubuntu 24.04 LTS                   1  1Gi
"""),
    Family("linux", "fedora", _LINUX, """
fedora             Fedora                             1  2Gi
"""),
    Family("linux", "centos", _LINUX, """
centos.stream9     CentOS Stream 9                    1  1536Mi
centos.stream10    CentOS Stream 10                   1  2Gi
"""),
    Family("linux", "rhel", _LINUX, """
rhel.8             Red Hat Enterprise Linux 8         1  1536Mi
rhel.9             Red Hat Enterprise Linux 9         1  1536Mi
rhel.10            Red Hat Enterprise Linux 10        1  2Gi
"""),
    Family("bsd", "freebsd", {"devices": _VIRTIO}, """
freebsd            FreeBSD                            1  512Mi
"""),
    Family("windows", "windows", _WINDOWS, """
windows.10         Microsoft Windows 10               1  2Gi
windows.2k19       Microsoft Windows Server 2019      1  2Gi
windows.2k22       Microsoft Windows Server 2022      1  2Gi
windows.2k25       Microsoft Windows Server 2025      1  2Gi
""", virtio=True),
    Family("windows", "windows", _WINDOWS | _MEASURED, """
windows.11         Microsoft Windows 11               2  4Gi
""", virtio=True),
)  # fmt: skip


def guests() -> Iterator[Guest]:
    """Every guest system."""
    for family in FAMILIES:
        for line in family.lines.strip().splitlines():
            name, *title, processors, amount = line.split()
            plain = (family.os_type, family.icon, int(processors), amount)
            yield Guest(name, " ".join(title), *plain, family.spec)
            if family.virtio:
                likes = family.spec | {"devices": family.spec["devices"] | _VIRTIO}
                yield Guest(f"{name}.virtio", f"{' '.join(title)} (virtio drivers)", *plain, likes)
