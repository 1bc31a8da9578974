"""Examples for ``kinds.replica_set`` and ``kinds.pool``."""

from tests.unit.gateway.admission.build import Plain, vm, vmi
from tests.unit.gateway.admission.examples.example import Example
from tests.unit.gateway.admission.examples.writes import made, write

from virtdeck.crds.kubevirt.replica_set import VirtualMachineInstanceReplicaSet
from virtdeck.crds.pool.pool import VirtualMachinePool
from virtdeck.gateway.admission.kinds.write import Write

_LABELS = {"app": "web"}
_UNREADABLE = {"matchLabels": None, "matchExpressions": [{"key": "app", "operator": "Like", "values": ["w"]}]}
REPLICA_SET: Plain = {
    "apiVersion": "kubevirt.io/v1",
    "kind": "VirtualMachineInstanceReplicaSet",
    "metadata": {"name": "web", "namespace": "default"},
    "spec": {
        "replicas": 2,
        "selector": {"matchLabels": _LABELS},
        "template": {"metadata": {"labels": _LABELS}, "spec": vmi()["spec"]},
    },
}
POOL: Plain = {
    "apiVersion": "pool.kubevirt.io/v1beta1",
    "kind": "VirtualMachinePool",
    "metadata": {"name": "web", "namespace": "default"},
    "spec": {
        "selector": {"matchLabels": _LABELS},
        "virtualMachineTemplate": {"metadata": {"labels": _LABELS}, "spec": vm()["spec"]},
    },
}


def _set(spec: Plain) -> Write[VirtualMachineInstanceReplicaSet]:
    return write(made(REPLICA_SET, VirtualMachineInstanceReplicaSet, {"spec": spec}))


def _pool(
    spec: Plain | None = None, old: Plain | None = None, name: str = "web"
) -> Write[VirtualMachinePool]:
    before = None if old is None else made(POOL, VirtualMachinePool, {"spec": old})
    changes: Plain = {"spec": spec or {}, "metadata": {"name": name}}
    return write(made(POOL, VirtualMachinePool, changes), before)


EXAMPLES: dict[str, Example] = {
    "V325": Example(_set({"selector": _UNREADABLE}), _set({}), "spec.selector"),
    "V326": Example(_set({"selector": {"matchLabels": {"app": "db"}}}), _set({})),
    "selector_is_not_empty": Example(_set({"selector": {"matchLabels": None}}), _set({})),
    "replicas_are_a_number": Example(_set({"replicas": -1}), _set({"replicas": 0})),
    "V327": Example(_pool({"virtualMachineTemplate": {"spec": None}}), _pool()),
    "V328": Example(_pool({"selector": _UNREADABLE}), _pool()),
    "V329": Example(_pool({"selector": {"matchLabels": {"app": "db"}}}), _pool()),
    "V330": Example(_pool({}, {"selector": {"matchLabels": {"x": "y"}}}), _pool({}, {"replicas": 3})),
    "V331": Example(_pool({"maxUnavailable": 0}), _pool({"maxUnavailable": 1})),
    "V332": Example(_pool({"maxUnavailable": "25"}), _pool({"maxUnavailable": "25%"})),
    "V333": Example(_pool({"maxUnavailable": "x%"}), _pool({"maxUnavailable": "1%"})),
    "V334": Example(_pool({"maxUnavailable": "101%"}), _pool({"maxUnavailable": "100%"})),
    "V335": Example(
        _pool({"updateStrategy": {"proactive": {}, "unmanaged": {}}}),
        _pool({"updateStrategy": {"unmanaged": {}}}),
    ),
    "V336": Example(
        _pool({"scaleInStrategy": {"proactive": {}, "opportunistic": {}}}),
        _pool({"scaleInStrategy": {"opportunistic": {}}}),
    ),
    "pool_has_a_size": Example(_pool({"replicas": -1}), _pool({"replicas": 0})),
    "name_leaves_room": Example(_pool(name="a" * 59), _pool(name="a" * 58)),
}
