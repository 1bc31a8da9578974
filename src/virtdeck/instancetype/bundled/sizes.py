"""The bundled sizes: series by series, a line each.

A name is ``<series>.<size>``. What is in a series differs only in processors and memory;
m1 stands twice, once for each size of its pages.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Series:
    """title, about: for people. lines: size, CPUs, memory. cpu, memory, spec: what all sizes say beside."""

    name: str
    title: str
    about: str
    lines: str
    cpu: dict[str, Any] = field(default_factory=dict)
    memory: dict[str, Any] = field(default_factory=dict)
    spec: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Size:
    """One instance type."""

    series: Series
    name: str
    processors: int
    amount: str

    @property
    def spec(self) -> dict[str, Any]:
        """As the API has it."""
        cpu = {"guest": self.processors} | self.series.cpu
        return {"cpu": cpu, "memory": {"guest": self.amount} | self.series.memory} | self.series.spec


_GENERAL = """
nano      1   512Mi
micro     1   1Gi
small     1   2Gi
medium    1   4Gi
2xmedium  2   4Gi
large     2   8Gi
xlarge    4   16Gi
2xlarge   8   32Gi
4xlarge   16  64Gi
8xlarge   32  128Gi
"""
_COMPUTE = """
medium    1   2Gi
large     2   4Gi
xlarge    4   8Gi
2xlarge   8   16Gi
4xlarge   16  32Gi
8xlarge   32  64Gi
"""
_MEMORY = """
large     2   16Gi
xlarge    4   32Gi
2xlarge   8   64Gi
4xlarge   16  128Gi
8xlarge   32  256Gi
"""
_MEMORY_1GI = """
large1gi    2   16Gi
xlarge1gi   4   32Gi
2xlarge1gi  8   64Gi
4xlarge1gi  16  128Gi
8xlarge1gi  32  256Gi
"""
_NETWORK = """
medium    4   4Gi
large     4   8Gi
xlarge    8   16Gi
2xlarge   16  32Gi
4xlarge   32  64Gi
8xlarge   64  128Gi
"""
_REALTIME = """
micro     1   1Gi
small     1   2Gi
medium    1   4Gi
large     2   8Gi
xlarge    4   16Gi
2xlarge   8   32Gi
4xlarge   16  64Gi
8xlarge   32  128Gi
"""

_DEDICATED = {"dedicatedCPUPlacement": True, "isolateEmulatorThread": True}
_EXCLUSIVE: dict[str, Any] = _DEDICATED | {"numa": {"guestMappingPassthrough": {}}}

SERIES: tuple[Series, ...] = (
    Series(
        "u1",
        "General purpose",
        "for most work: shared processors, 4 GiB of memory for each in the larger sizes",
        _GENERAL,
    ),
    Series(
        "o1",
        "Overcommitted",
        "as u1, but the node keeps only half of the memory; for many machines that seldom need all of theirs",
        _GENERAL,
        memory={"overcommitPercent": 50},
    ),
    Series(
        "d1",
        "Dedicated",
        "as u1, with processors of its own and the emulator on one more",
        _GENERAL,
        cpu=_DEDICATED,
        spec={"ioThreadsPolicy": "auto"},
    ),
    Series(
        "cx1",
        "Compute exclusive",
        "processors of its own and 2 MiB pages, 2 GiB of memory for each; for work that uses all it gets",
        _COMPUTE,
        cpu=_EXCLUSIVE,
        memory={"hugepages": {"pageSize": "2Mi"}},
        spec={"ioThreadsPolicy": "auto"},
    ),
    Series(
        "m1",
        "Memory",
        "8 GiB of memory in 2 MiB pages for each shared processor; for databases and caches",
        _MEMORY,
        memory={"hugepages": {"pageSize": "2Mi"}},
    ),
    Series(
        "m1",
        "Memory",
        "8 GiB of memory in 1 GiB pages for each shared processor; for large databases and caches",
        _MEMORY_1GI,
        memory={"hugepages": {"pageSize": "1Gi"}},
    ),
    Series(
        "n1",
        "Network",
        "processors of its own and 1 GiB pages; for machines that move packets",
        _NETWORK,
        cpu=_DEDICATED,
        memory={"hugepages": {"pageSize": "1Gi"}},
    ),
    Series(
        "rt1",
        "Realtime",
        "processors of its own that are scheduled in real time, 1 GiB pages; for work with deadlines",
        _REALTIME,
        cpu=_EXCLUSIVE | {"realtime": {}},
        memory={"hugepages": {"pageSize": "1Gi"}},
    ),
)


def sizes() -> Iterator[Size]:
    """Every size of every series."""
    for series in SERIES:
        for line in series.lines.strip().splitlines():
            name, processors, amount = line.split()
            yield Size(series, name, int(processors), amount)
