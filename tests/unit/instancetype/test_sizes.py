"""What an instance type gives, and what stands in its way."""

from typing import Any

import pytest
from tests.unit.instancetype.machines import Plain, chosen, devices, domain, size, taste, template

from virtdeck.basis.errors import Invalid
from virtdeck.instancetype.expansion import conflicts_with, expand
from virtdeck.instancetype.paths import reach
from virtdeck.instancetype.topology import Topology, divide, why_indivisible


def expanded(before: Plain, *what: Any) -> Plain:
    found: Plain = expand(before, chosen(*what), "masquerade")["spec"]
    return found


def test_processors_and_memory_are_the_instance_types() -> None:
    found = expanded(template(), size())["domain"]
    assert found["cpu"] == {"sockets": 2, "cores": 1, "threads": 1}
    assert found["memory"] == {"guest": "1Gi"}
    assert "resources" not in found


def test_the_template_itself_stays_as_it_was() -> None:
    before = template({"volumes": [{"name": "root"}]})
    expand(before, chosen(size(annotations={"a": "b"})), "bridge")
    assert before == template({"volumes": [{"name": "root"}]})


GIVEN: list[tuple[Plain, str, Any]] = [
    ({"cpu": {"guest": 1, "model": "host-passthrough"}}, "domain.cpu.model", "host-passthrough"),
    ({"cpu": {"guest": 1, "dedicatedCPUPlacement": True}}, "domain.cpu.dedicatedCpuPlacement", True),
    ({"cpu": {"guest": 1, "dedicatedCPUPlacement": False}}, "domain.cpu.dedicatedCpuPlacement", False),
    ({"cpu": {"guest": 1, "isolateEmulatorThread": True}}, "domain.cpu.isolateEmulatorThread", True),
    (
        {"cpu": {"guest": 1, "numa": {"guestMappingPassthrough": {}}}},
        "domain.cpu.numa",
        {"guestMappingPassthrough": {}},
    ),
    ({"cpu": {"guest": 1, "realtime": {"mask": "0-1"}}}, "domain.cpu.realtime", {"mask": "0-1"}),
    ({"cpu": {"guest": 1, "maxSockets": 8}}, "domain.cpu.maxSockets", 8),
    (
        {"memory": {"guest": "1Gi", "hugepages": {"pageSize": "2Mi"}}},
        "domain.memory.hugepages",
        {"pageSize": "2Mi"},
    ),
    ({"memory": {"guest": "1Gi", "maxGuest": "4Gi"}}, "domain.memory.maxGuest", "4Gi"),
    (
        {"gpus": [{"name": "g", "deviceName": "x/y"}]},
        "domain.devices.gpus",
        [{"name": "g", "deviceName": "x/y"}],
    ),
    (
        {"hostDevices": [{"name": "h", "deviceName": "x/y"}]},
        "domain.devices.hostDevices",
        [{"name": "h", "deviceName": "x/y"}],
    ),
    ({"ioThreadsPolicy": "auto"}, "domain.ioThreadsPolicy", "auto"),
    ({"ioThreads": {"supplementalPoolThreadCount": 4}}, "domain.ioThreads.supplementalPoolThreadCount", 4),
    ({"launchSecurity": {"sev": {}}}, "domain.launchSecurity", {"sev": {}}),
    ({"nodeSelector": {"a": "b"}}, "nodeSelector", {"a": "b"}),
    ({"schedulerName": "other"}, "schedulerName", "other"),
]


@pytest.mark.parametrize(("given", "field", "value"), GIVEN, ids=[row[1] for row in GIVEN])
def test_every_field_of_an_instance_type_reaches_the_template(given: Plain, field: str, value: Any) -> None:
    assert reach(expanded(template(), size(**given)), field) == value


def test_annotations_are_the_vmis() -> None:
    before = template(annotations={"mine": "1", "same": "2"})
    found = expand(before, chosen(size(annotations={"its": "3", "same": "2"})), "bridge")
    assert found["metadata"]["annotations"] == {"mine": "1", "same": "2", "its": "3"}


@pytest.mark.parametrize(
    ("guest", "percent", "request_"),
    [
        ("4Gi", 10, "3865470566"),
        ("4Gi", 50, "2Gi"),
        ("128Mi", 100, "0"),
        ("1Gi", 25, "768Mi"),
        ("1G", 1, "990000000"),
    ],
)
def test_overcommitted_memory_is_asked_for_in_part(guest: str, percent: int, request_: str) -> None:
    found = expanded(template(), size(memory={"guest": guest, "overcommitPercent": percent}))["domain"]
    assert found["memory"]["guest"] == guest
    assert found["resources"] == {"requests": {"memory": request_}}


CONFLICTS: list[tuple[str, Plain, Plain]] = [
    ("domain.cpu.sockets", {}, domain(cpu={"sockets": 1})),
    ("domain.cpu.cores", {}, domain(cpu={"cores": 2})),
    ("domain.cpu.threads", {}, domain(cpu={"threads": 1})),
    ("domain.resources.requests.cpu", {}, domain(resources={"requests": {"cpu": "1"}})),
    ("domain.resources.limits.cpu", {}, domain(resources={"limits": {"cpu": "1"}})),
    ("domain.memory.guest", {}, domain(memory={"guest": "128Mi"})),
    ("domain.resources.requests.memory", {}, domain(resources={"requests": {"memory": "1Gi"}})),
    ("domain.resources.limits.memory", {}, domain(resources={"limits": {"memory": "1Gi"}})),
    ("domain.cpu.model", {"cpu": {"guest": 1, "model": "a"}}, domain(cpu={"model": "b"})),
    (
        "domain.cpu.dedicatedCpuPlacement",
        {"cpu": {"guest": 1, "dedicatedCPUPlacement": True}},
        domain(cpu={"dedicatedCpuPlacement": True}),
    ),
    (
        "domain.cpu.isolateEmulatorThread",
        {"cpu": {"guest": 1, "isolateEmulatorThread": True}},
        domain(cpu={"isolateEmulatorThread": True}),
    ),
    (
        "domain.cpu.numa",
        {"cpu": {"guest": 1, "numa": {"guestMappingPassthrough": {}}}},
        domain(cpu={"numa": {"guestMappingPassthrough": {}}}),
    ),
    ("domain.cpu.realtime", {"cpu": {"guest": 1, "realtime": {"mask": "1"}}}, domain(cpu={"realtime": {}})),
    (
        "domain.memory.hugepages",
        {"memory": {"guest": "1Gi", "hugepages": {"pageSize": "2Mi"}}},
        domain(memory={"hugepages": {"pageSize": "2Mi"}}),
    ),
    (
        "domain.memory.maxGuest",
        {"memory": {"guest": "1Gi", "maxGuest": "2Gi"}},
        domain(memory={"maxGuest": "2Gi"}),
    ),
    ("domain.devices.gpus", {"gpus": [{"name": "g"}]}, devices(gpus=[{"name": "g"}])),
    ("domain.devices.hostDevices", {"hostDevices": [{"name": "g"}]}, devices(hostDevices=[{"name": "g"}])),
    ("domain.ioThreadsPolicy", {"ioThreadsPolicy": "auto"}, domain(ioThreadsPolicy="shared")),
    (
        "domain.ioThreads.supplementalPoolThreadCount",
        {"ioThreads": {"supplementalPoolThreadCount": 1}},
        domain(ioThreads={"supplementalPoolThreadCount": 1}),
    ),
    ("domain.launchSecurity", {"launchSecurity": {"sev": {}}}, domain(launchSecurity={"snp": {}})),
    ("nodeSelector", {"nodeSelector": {"a": "b"}}, template({"nodeSelector": {"c": "d"}})),
    ("schedulerName", {"schedulerName": "a"}, template({"schedulerName": "a"})),
]


@pytest.mark.parametrize(("field", "given", "before"), CONFLICTS, ids=[row[0] for row in CONFLICTS])
def test_v296_what_the_instance_type_gives_the_template_may_not_say(
    field: str, given: Plain, before: Plain
) -> None:
    causes = conflicts_with(before, chosen(size(**given)))
    assert [cause.field for cause in causes] == [f"spec.template.spec.{field}"]
    assert "csmall" in causes[0].message


@pytest.mark.parametrize(("field", "given", "before"), CONFLICTS[8:], ids=[row[0] for row in CONFLICTS[8:]])
def test_v296_what_the_instance_type_leaves_open_the_template_may_say(
    field: str, given: Plain, before: Plain
) -> None:
    assert conflicts_with(before, chosen(size())) == ()


def test_v296_every_conflict_is_named_at_once() -> None:
    before = domain(cpu={"cores": 2}, memory={"guest": "1Gi"}, resources={"limits": {"memory": "1Gi"}})
    with pytest.raises(Invalid) as refusal:
        expand(before, chosen(size()), "bridge")
    assert [cause.field.removeprefix("spec.template.spec.domain.") for cause in refusal.value.causes] == [
        "cpu.cores",
        "memory.guest",
        "resources.limits.memory",
    ]


def test_v296_an_annotation_with_another_value_is_a_conflict() -> None:
    before, wanted = template(annotations={"a": "1"}), size(annotations={"a": "2"})
    assert [cause.field for cause in conflicts_with(before, chosen(wanted))] == [
        "spec.template.metadata.annotations[a]"
    ]


@pytest.mark.parametrize(
    "said",
    [{"cpu": {"sockets": 0, "dedicatedCpuPlacement": False, "model": ""}}, {"cpu": None}, {"memory": {}}],
)
def test_false_zero_and_empty_say_nothing(said: Plain) -> None:
    given = size(cpu={"guest": 1, "dedicatedCPUPlacement": True, "model": "a"})
    assert conflicts_with(domain(**said), chosen(given)) == ()


@pytest.mark.parametrize(
    ("cpu", "count", "topology"),
    [
        ({}, 4, Topology(sockets=4)),
        ({"preferredCPUTopology": "sockets"}, 4, Topology(sockets=4)),
        ({"preferredCPUTopology": "any"}, 4, Topology(sockets=4)),
        ({"preferredCPUTopology": "cores"}, 4, Topology(cores=4)),
        ({"preferredCPUTopology": "preferCores"}, 4, Topology(cores=4)),
        ({"preferredCPUTopology": "threads"}, 4, Topology(threads=4)),
        ({"preferredCPUTopology": "cores"}, 1, Topology()),
        ({"preferredCPUTopology": "spread"}, 6, Topology(sockets=3, cores=2)),
        ({"preferredCPUTopology": "spread", "spreadOptions": {"ratio": 3}}, 6, Topology(sockets=2, cores=3)),
        (
            {"preferredCPUTopology": "preferSpread", "spreadOptions": {"across": "CoresThreads"}},
            6,
            Topology(cores=3, threads=2),
        ),
        (
            {"preferredCPUTopology": "spread", "spreadOptions": {"across": "SocketsCoresThreads"}},
            8,
            Topology(2, 2, 2),
        ),
        (
            {
                "preferredCPUTopology": "spread",
                "spreadOptions": {"across": "SocketsCoresThreads", "ratio": 4},
            },
            16,
            Topology(2, 4, 2),
        ),
    ],
)
def test_processors_appear_as_the_preference_likes_them(cpu: Plain, count: int, topology: Topology) -> None:
    assert why_indivisible(count, taste(cpu=cpu)) is None
    assert divide(count, taste(cpu=cpu)) == topology


def test_the_older_ratio_counts_where_the_newer_is_silent() -> None:
    preference = taste(cpu={"preferredCPUTopology": "spread"}, preferSpreadSocketToCoreRatio=4)
    assert divide(8, preference) == Topology(sockets=2, cores=4)


@pytest.mark.parametrize(
    ("count", "options"),
    [
        (1, {}),
        (3, {}),
        (4, {"ratio": 3}),
        (3, {"across": "CoresThreads"}),
        (6, {"across": "SocketsCoresThreads"}),
        (2, {"ratio": 0}),
    ],
)
def test_processors_that_cannot_be_spread_are_a_conflict(count: int, options: Plain) -> None:
    preference = taste(cpu={"preferredCPUTopology": "spread", "spreadOptions": options})
    causes = conflicts_with(template(), chosen(size(cpu={"guest": count}), preference))
    assert [cause.field for cause in causes] == ["spec.instancetype"]
