"""The machine that a pool's template makes for an index."""

from tests.unit.controllers.pool.pools import machine, pool

from virtdeck.controllers.pool.observed import Machine
from virtdeck.controllers.pool.render import machine_index, render_machine, update_operations
from virtdeck.crds.codec import decode, to_dict
from virtdeck.crds.kubevirt.vm import VirtualMachine

VOLUMES = [
    {"name": "a", "dataVolume": {"name": "root"}},
    {"name": "b", "persistentVolumeClaim": {"claimName": "root"}},
    {"name": "c", "persistentVolumeClaim": {"claimName": "shared"}},
    {"name": "d", "configMap": {"name": "settings"}},
    {"name": "e", "secret": {"secretName": "keys"}},
    {
        "name": "f",
        "cloudInitNoCloud": {"secretRef": {"name": "user"}, "networkDataSecretRef": {"name": "net"}},
    },
    {"name": "g", "sysprep": {"configMap": {"name": "answers"}, "secret": {"name": "hidden"}}},
]
CREDENTIALS = [
    {"sshPublicKey": {"source": {"secret": {"secretName": "ssh"}}, "propagationMethod": {"noCloud": {}}}}
]
DISK = {"metadata": {"name": "root"}, "spec": {"source": {"blank": {}}}}


def test_a_machine_belongs_to_its_pool_and_carries_the_revision() -> None:
    made = render_machine(pool(), 4, "web-1")
    meta = made["metadata"]
    assert (meta["name"], meta["namespace"]) == ("web-4", "ns")
    assert meta["labels"] == {"app": "web", "kubevirt.io/vm-pool-revision-name": "web-1"}
    assert made["spec"]["template"]["metadata"]["labels"] == meta["labels"]
    assert meta["ownerReferences"] == [
        {
            "apiVersion": "pool.kubevirt.io/v1beta1",
            "kind": "VirtualMachinePool",
            "name": "web",
            "uid": "pool-1",
            "controller": True,
            "blockOwnerDeletion": True,
        }
    ]


def names_of(generation: dict[str, bool]) -> list[str]:
    of = pool(
        guest={"volumes": VOLUMES, "accessCredentials": CREDENTIALS},
        machine={},
        spec={"nameGeneration": generation},
    )
    body = to_dict(of)
    body["spec"]["virtualMachineTemplate"]["spec"]["dataVolumeTemplates"] = [DISK]
    spec = render_machine(decode(body, type(of)), 2, "web-1")["spec"]
    guest = spec["template"]["spec"]
    a, b, c, d, e, f, g = guest["volumes"]
    return [
        spec["dataVolumeTemplates"][0]["metadata"]["name"],
        a["dataVolume"]["name"],
        b["persistentVolumeClaim"]["claimName"],
        c["persistentVolumeClaim"]["claimName"],
        d["configMap"]["name"],
        g["sysprep"]["configMap"]["name"],
        e["secret"]["secretName"],
        f["cloudInitNoCloud"]["secretRef"]["name"],
        f["cloudInitNoCloud"]["networkDataSecretRef"]["name"],
        g["sysprep"]["secret"]["name"],
        guest["accessCredentials"][0]["sshPublicKey"]["source"]["secret"]["secretName"],
    ]


def test_each_machine_has_disks_of_its_own_and_shares_the_rest() -> None:
    plain = ["settings", "answers", "keys", "user", "net", "hidden", "ssh"]
    assert names_of({}) == ["root-2", "root-2", "root-2", "shared", *plain]


def test_config_maps_and_secrets_are_numbered_on_demand() -> None:
    numbered = names_of({"appendIndexToConfigMapRefs": True, "appendIndexToSecretRefs": True})
    assert numbered[3:] == [
        "shared",
        "settings-2",
        "answers-2",
        "keys-2",
        "user-2",
        "net-2",
        "hidden-2",
        "ssh-2",
    ]


def test_only_names_of_the_pools_own_shape_have_an_index() -> None:
    of = pool()
    found = {
        name: machine_index(of, name) for name in ("web-0", "web-12", "web-01", "web-", "web-x", "other-1")
    }
    assert found == {"web-0": 0, "web-12": 12, "web-01": None, "web-": None, "web-x": None, "other-1": None}


def test_an_update_keeps_who_the_guest_is_and_what_others_added() -> None:
    of = machine(pool(), 0)
    body = to_dict(of.vm)
    body["metadata"]["labels"]["mine"] = "kept"
    body["spec"]["template"]["spec"]["domain"]["firmware"] = {"uuid": "u", "serial": "s"}
    known = Machine(vm=decode(body, VirtualMachine), index=0)
    test, labels, _, spec = update_operations(pool(memory="128Mi"), known, "web-2")
    assert test == {"op": "test", "path": "/metadata/resourceVersion", "value": "7"}
    assert labels["value"] == {"app": "web", "mine": "kept", "kubevirt.io/vm-pool-revision-name": "web-2"}
    domain = spec["value"]["template"]["spec"]["domain"]
    assert (domain["firmware"], domain["memory"]) == ({"uuid": "u", "serial": "s"}, {"guest": "128Mi"})
