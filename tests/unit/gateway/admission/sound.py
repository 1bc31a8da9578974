"""Machines that are sound because of how they are made, and single faults that can be put into them."""

from typing import Any

from hypothesis import strategies as st

Plain = dict[str, Any]

_NAMES = st.from_regex(r"[a-z]([a-z0-9-]{0,12}[a-z0-9])?", fullmatch=True)
_SIZES = st.sampled_from(("32Mi", "1Gi", "1500M", "2048Mi", "4Gi"))
_BUSES = st.sampled_from(("virtio", "sata", "scsi", "usb", None))
_SERIALS = st.from_regex(r"[A-Za-z0-9_.+-]{1,36}", fullmatch=True)
_SOURCES: st.SearchStrategy[Plain] = st.sampled_from(
    (
        {"containerDisk": {"image": "registry.example.com/disk:1"}},
        {"emptyDisk": {"capacity": "1Gi"}},
        {"persistentVolumeClaim": {"claimName": "claim"}},
        {"dataVolume": {"name": "data"}},
        {"ephemeral": {"persistentVolumeClaim": {"claimName": "claim"}}},
        {"cloudInitNoCloud": {"userData": "#cloud-config"}},
        {"configMap": {"name": "settings"}},
        {"secret": {"secretName": "keys"}},
    )
)
_BINDINGS: st.SearchStrategy[Plain] = st.sampled_from(({"masquerade": {}}, {"bridge": {}}))


def _without_nothing(**fields: Any) -> Plain:
    return {name: value for name, value in fields.items() if value is not None}


@st.composite
def _disks(draw: st.DrawFn) -> tuple[list[Plain], list[Plain]]:
    """Disks and their volumes, in orders of their own."""
    names = draw(st.lists(_NAMES, max_size=5, unique=True))
    orders = draw(st.permutations(range(1, len(names) + 1)))
    disks, volumes, first_data = [], [], True
    for name, order in zip(names, orders, strict=True):
        source = draw(_SOURCES)
        if "cloudInitNoCloud" in source:
            source = source if first_data else {"emptyDisk": {"capacity": "2Gi"}}
            first_data = False
        target = draw(
            st.sampled_from(("disk", "lun", "cdrom"))
            if "persistentVolumeClaim" in source
            else st.just("disk")
        )
        bus = {"lun": "scsi", "cdrom": "sata"}.get(target) or draw(_BUSES)
        disk = {"name": name, target: _without_nothing(bus=bus)}
        if target == "disk":
            disk |= _without_nothing(
                serial=draw(st.none() | _SERIALS),
                bootOrder=order if draw(st.booleans()) else None,
                cache=draw(st.sampled_from((None, "none", "writethrough", "writeback"))),
            )
        disks.append(disk)
        volumes.append({"name": name, **source})
    return disks, draw(st.permutations(volumes))


@st.composite
def _networks(draw: st.DrawFn) -> tuple[list[Plain], list[Plain]]:
    """Interfaces and their networks; at most one is the pod's."""
    names = draw(st.lists(_NAMES, max_size=3, unique=True))
    interfaces, networks = [], []
    for index, name in enumerate(names):
        pod = index == 0
        binding = draw(_BINDINGS) if pod else {"bridge": {}}
        model = draw(st.sampled_from((None, "virtio", "e1000", "e1000e", "rtl8139")))
        interfaces.append({"name": name, **binding, **_without_nothing(model=model)})
        networks.append(
            {"name": name, "pod": {}} if pod else {"name": name, "multus": {"networkName": f"net-{index}"}}
        )
    return interfaces, draw(st.permutations(networks))


@st.composite
def sound_specs(draw: st.DrawFn) -> Plain:
    """A spec of an instance of which nothing is wrong."""
    disks, volumes = draw(_disks())
    interfaces, networks = draw(_networks())
    domain = _without_nothing(
        memory={"guest": draw(_SIZES)},
        cpu=draw(
            st.none()
            | st.fixed_dictionaries(
                {},
                optional={
                    "cores": st.integers(1, 4),
                    "sockets": st.integers(1, 4),
                    "threads": st.integers(1, 2),
                },
            )
        ),
        devices=_without_nothing(disks=disks or None, interfaces=interfaces or None),
        firmware=draw(
            st.none()
            | st.just({"bootloader": {"bios": {}}})
            | st.just({"bootloader": {"efi": {"secureBoot": False}}})
        ),
        clock=draw(st.none() | st.just({"utc": {}}) | st.just({"timezone": "Europe/Vienna"})),
    )
    return _without_nothing(
        domain=domain,
        volumes=volumes or None,
        networks=networks or None,
        hostname=draw(st.none() | _NAMES),
        evictionStrategy=draw(st.sampled_from((None, "None", "LiveMigrate", "External"))),
        terminationGracePeriodSeconds=draw(st.none() | st.integers(0, 600)),
        startStrategy=draw(st.sampled_from((None, "Paused"))),
    )


# What a fault changes in a sound spec, and the one field that is then named.
FAULTS: tuple[tuple[Plain, str], ...] = (
    ({"domain": {"cpu": {"cores": 600, "sockets": 1, "threads": 1}}}, "spec.domain.cpu"),
    ({"hostname": "Not_a_name"}, "spec.hostname"),
    ({"subdomain": "Not_a_name"}, "spec.subdomain"),
    ({"evictionStrategy": "Sometimes"}, "spec.evictionStrategy"),
    ({"startStrategy": "Running"}, "spec.startStrategy"),
    ({"terminationGracePeriodSeconds": -1}, "spec.terminationGracePeriodSeconds"),
    ({"domain": {"memory": {"guest": "100"}}}, "spec.domain.memory.guest"),
    ({"domain": {"memory": {"hugepages": {"pageSize": "3Xi"}}}}, "spec.domain.memory.hugepages.pageSize"),
    (
        {"domain": {"devices": {"watchdog": {"name": "w", "i6300esb": {"action": "sing"}}}}},
        "spec.domain.devices.watchdog.i6300esb.action",
    ),
    ({"dnsPolicy": "Somewhere"}, "spec.dnsPolicy"),
    ({"livenessProbe": {"timeoutSeconds": 1}}, "spec.livenessProbe"),
    ({"tolerations": [{"operator": "Sometimes"}]}, "spec.tolerations[0].operator"),
)
