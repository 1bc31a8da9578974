"""Examples for the rules of changing VirtualMachineInstances."""

from typing import Any

from tests.unit.gateway.admission.build import ALICE, CONTROLLER, HANDLER, Plain, vmi
from tests.unit.gateway.admission.examples.example import Example, gates, without

from virtdeck.crds.codec import decode
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.gateway.admission import ClusterConfig
from virtdeck.gateway.admission.instance import Change
from virtdeck.gateway.auth.user import User, make_user

_LABEL = {"labels": {"kubevirt.io/nodeName": "a"}}
_UTILITY = gates("UtilityVolumes")


def _change(new: Plain, old: Plain, user: User = CONTROLLER, cluster: ClusterConfig | None = None) -> Change:
    found, before = (decode(obj, VirtualMachineInstance) for obj in (new, old))
    return Change(found, before, user, cluster or ClusterConfig())


def _handler(*nodes: str) -> User:
    extra = {"authentication.kubernetes.io/node-name": list(nodes)} if nodes else {}
    return make_user(HANDLER.name, extra=extra)


def _on(node: str, **status: Any) -> Plain:
    return vmi() | {"status": {"nodeName": node, **status}}


def _plugged(volumes: dict[str, Any], disks: dict[str, Any], **status: Any) -> Plain:
    """A VMI started with the volume ``root``; others were attached while it ran."""
    given = [{"name": name, **(source or _claim(name))} for name, source in volumes.items()]
    targets = [{"name": name, **(target or {"disk": {"bus": "scsi"}})} for name, target in disks.items()]
    obj = vmi({"volumes": given, "domain": {"devices": {"disks": targets}}})
    permanent = [{"name": name, "target": "vda"} for name in status.pop("permanent", ["root"])]
    return obj | {"status": {"volumeStatus": permanent, **status}}


def _claim(name: str) -> Plain:
    return {"persistentVolumeClaim": {"claimName": name}}


def _utility(
    *volumes: Plain, old: tuple[Plain, ...] = (), cluster: ClusterConfig = _UTILITY, **status: Any
) -> Change:
    new, before = (vmi({"utilityVolumes": list(found)}) | {"status": status} for found in (volumes, old))
    return _change(new, before, cluster=cluster)


_BOTH: Plain = {"root": None, "hot": None}
_ONE = _plugged({"root": None}, {"root": None})
_TWO = _plugged(_BOTH, _BOTH)
_MOVES = {"migrationState": {"targetNode": "b"}}
_WHO = {
    "V300": Example(
        (_change(_on("a"), _on("a"), _handler("b")), _change(vmi(), vmi(), _handler("a"))),
        (
            _change(_on("a"), _on("a"), _handler("a")),
            _change(_on("a", **_MOVES), _on("a", **_MOVES), _handler("b")),
            _change(_on("a"), _on("a"), _handler("b"), without("NodeRestriction")),
        ),
        "status.nodeName",
    ),
    "V301": Example(
        _change(_on("b"), _on("a"), _handler("a")),
        _change(_on("b", **_MOVES), _on("a", **_MOVES), _handler("a")),
    ),
    "V302": Example(
        (_change(_on("a"), _on("a"), _handler()), _change(_on("a"), _on("a"), _handler("a", "b"))),
        _change(_on("a"), _on("a"), _handler("a")),
    ),
    "V303": Example(
        (
            _change(vmi({"terminationGracePeriodSeconds": 7}), vmi(), ALICE),
            _change(_on("a") | {"spec": vmi({"hostname": "x"})["spec"]}, _on("a"), _handler("a")),
            _change(vmi({"hostname": "x"}), vmi(), User("system:serviceaccount:default:kubevirt-controller")),
        ),
        _change(vmi({"terminationGracePeriodSeconds": 7}), vmi(), CONTROLLER),
        "spec.terminationGracePeriodSeconds",
    ),
    "V304": Example(
        _change(vmi({"domain": {"cpu": {"maxSockets": 8}}}), vmi({"domain": {"cpu": {"maxSockets": 4}}})),
        _change(vmi({"domain": {"cpu": {"sockets": 8}}}), vmi()),
    ),
    "V305": Example(
        _change(vmi({"domain": {"memory": {"maxGuest": "2Gi"}}}), vmi()),
        _change(vmi({"domain": {"memory": {"guest": "2Gi"}}}), vmi()),
    ),
    "V306": Example(
        (
            _change(vmi(**_LABEL), vmi(), ALICE),
            _change(vmi(), vmi(**_LABEL), ALICE),
            _change(vmi(labels={"kubevirt.io/nodeName": "b"}), vmi(**_LABEL), ALICE),
        ),
        (_change(vmi(labels={"mine": "x"}), vmi(), ALICE), _change(vmi(**_LABEL), vmi(), CONTROLLER)),
        "metadata.labels[kubevirt.io/nodeName]",
    ),
}
_PLUGS = {
    "V307": Example(
        _change(_plugged({"root": None}, {"root": None, "more": None}), _ONE),
        (_change(_TWO, _ONE), _change(_plugged({"root": None}, {"root": None, "tray": {"cdrom": {}}}), _ONE)),
    ),
    "V308": Example(
        _change(_plugged({"root": None, "hot": _claim("other")}, _BOTH), _TWO),
        _change(
            _plugged({"root": None, "hot": _claim("other")}, _BOTH, migratedVolumes=[{"volumeName": "hot"}]),
            _TWO,
        ),
        "spec.volumes[1]",
    ),
    "V309": Example(_change(_plugged(_BOTH, {"root": None, "cold": None}), _TWO), _change(_ONE, _TWO)),
    "V310": Example(
        _change(_plugged(_BOTH, {"root": None, "hot": {"disk": {"bus": "virtio"}}}), _TWO),
        _change(_TWO, _TWO),
    ),
    "V311": Example(
        _change(_plugged({"root": None, "hot": {"emptyDisk": {"capacity": "1Gi"}}}, _BOTH), _ONE),
        (
            _change(_TWO, _ONE),
            _change(
                _plugged({"root": None, "dump": {"memoryDump": {"claimName": "d"}}}, {"root": None}), _ONE
            ),
        ),
    ),
    "V312": Example(_change(_plugged(_BOTH, {"root": None, "other": None}), _ONE), _change(_TWO, _ONE)),
    "V313": Example(
        _change(_plugged({}, {}), _ONE),
        _change(_ONE, _TWO),
        "spec.volumes",
    ),
    "V314": Example(
        _change(
            _plugged({"second": None}, {"second": None}, permanent=["root", "second"]),
            _plugged({"root": None}, {"root": None}, permanent=["root", "second"]),
        ),
        _change(_TWO, _ONE),
    ),
    "V315": Example(
        _change(_plugged({"root": _claim("other")}, {"root": None}), _ONE),
        _change(
            _plugged({"root": _claim("other")}, {"root": None}, migratedVolumes=[{"volumeName": "root"}]),
            _ONE,
        ),
    ),
    "V316": Example(
        _change(_plugged({"root": None}, {"root": {"disk": {"bus": "virtio"}}}), _ONE), _change(_TWO, _ONE)
    ),
}
_U: Plain = {"name": "u", "claimName": "c"}
_UTILITIES = {
    "V317": Example(_utility(_U, cluster=ClusterConfig()), _utility(_U)),
    "V318": Example(_utility({**_U, "name": ""}), _utility(_U)),
    "V319": Example(_utility(_U, _U), _utility(_U, {**_U, "name": "v"})),
    "V320": Example(_utility({**_U, "name": "root"}), _utility(_U)),
    "V321": Example(_utility({**_U, "claimName": ""}), _utility(_U)),
    "V322": Example(
        _utility(_U, volumeStatus=[{"name": "u", "target": "vda"}]),
        _utility(_U, volumeStatus=[{"name": "u", "target": "vda", "hotplugVolume": {}}]),
    ),
    "V323": Example(
        _utility({**_U, "claimName": "d"}, old=(_U,)),
        _utility(_U, {"name": "v", "claimName": "d"}, old=(_U,)),
    ),
}
EXAMPLES: dict[str, Example] = {**_WHO, **_PLUGS, **_UTILITIES}
