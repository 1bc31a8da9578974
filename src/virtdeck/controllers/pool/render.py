"""From a pool's template to the machine of one index; pure."""

from collections.abc import Callable, Iterator
from typing import Any

from virtdeck.controllers import names
from virtdeck.controllers.pool.observed import Machine
from virtdeck.controllers.pool.revision import owner_reference
from virtdeck.crds import kinds
from virtdeck.crds.codec import to_dict
from virtdeck.crds.pool.pool import VirtualMachinePool, VirtualMachinePoolNameGeneration

Object = dict[str, Any]

# Where a template names objects: the field of a volume (or of a credential), and the field in it.
_CONFIG_MAPS = (("configMap", "name"), ("sysprep", "configMap"))
_SECRETS = (("secret", "secretName"), ("sysprep", "secret"))
_CLOUD_INIT = ("cloudInitNoCloud", "cloudInitConfigDrive")
_CLOUD_INIT_SECRETS = ("secretRef", "networkDataSecretRef")


def machine_name(pool: VirtualMachinePool, index: int) -> str:
    """``<pool>-<index>``."""
    return f"{pool.metadata.name}-{index}"


def machine_index(pool: VirtualMachinePool, name: str) -> int | None:
    """The index that the name ends in; None when it is no name of this pool's."""
    number = name.removeprefix(f"{pool.metadata.name}-")
    proper = number.isascii() and number.isdigit() and machine_name(pool, int(number)) == name
    return int(number) if proper else None


def render_machine(pool: VirtualMachinePool, index: int, revision: str) -> Object:
    """The VirtualMachine of this index, owned by the pool, as JSON has it."""
    template = pool.spec.virtual_machine_template.metadata
    return {
        "apiVersion": kinds.VM.api_version,
        "kind": kinds.VM.kind,
        "metadata": {
            "name": machine_name(pool, index),
            "namespace": pool.metadata.namespace,
            "labels": {**(template.labels or {}), names.POOL_REVISION: revision},
            "annotations": template.annotations or {},
            "ownerReferences": [to_dict(owner_reference(pool))],
        },
        "spec": render_spec(pool, index, revision),
    }


def render_spec(pool: VirtualMachinePool, index: int, revision: str) -> Object:
    """The spec of the machine of this index; its guest carries the revision too."""
    spec = to_dict(pool.spec.virtual_machine_template.spec) if pool.spec.virtual_machine_template.spec else {}
    template = spec.setdefault("template", {})
    labels = template.setdefault("metadata", {}).setdefault("labels", {})
    labels[names.POOL_REVISION] = revision
    _number_disks(spec, index)
    _number_references(template.get("spec", {}), pool.spec.name_generation, index)
    return spec


def update_operations(pool: VirtualMachinePool, machine: Machine, revision: str) -> list[Object]:
    """The JSON patch that makes an existing machine what the template says.

    Labels and annotations that others added stay; so does who the guest takes itself for.
    """
    meta, wanted = machine.vm.metadata, render_machine(pool, machine.index, revision)
    labels = {**(meta.labels or {}), **wanted["metadata"]["labels"]}
    annotations = {**(meta.annotations or {}), **wanted["metadata"]["annotations"]}
    _keep_identity(machine, wanted["spec"])
    return [
        {"op": "test", "path": "/metadata/resourceVersion", "value": meta.resource_version},
        {"op": "add", "path": "/metadata/labels", "value": labels},
        {"op": "add", "path": "/metadata/annotations", "value": annotations},
        {"op": "replace", "path": "/spec", "value": wanted["spec"]},
    ]


def _keep_identity(machine: Machine, spec: Object) -> None:
    known = machine.vm.spec.template.spec.domain.firmware
    kept = {"uuid": known.uuid, "serial": known.serial} if known else {}
    kept = {name: value for name, value in kept.items() if value}
    domain = spec["template"].setdefault("spec", {}).setdefault("domain", {})
    if kept:
        domain["firmware"] = {**kept, **domain.get("firmware", {})}


def _number_disks(spec: Object, index: int) -> None:
    """Each machine has disks of its own: the names of its disks' templates, and whatever names them."""
    own = {found["metadata"]["name"] for found in spec.get("dataVolumeTemplates", ())}
    for found in spec.get("dataVolumeTemplates", ()):
        found["metadata"]["name"] = _numbered(found["metadata"]["name"], index)
    for volume in spec["template"].get("spec", {}).get("volumes", ()):
        for source, field in (("dataVolume", "name"), ("persistentVolumeClaim", "claimName")):
            _rename(volume.get(source), field, lambda name: _numbered(name, index) if name in own else name)


def _number_references(
    guest: Object, generation: VirtualMachinePoolNameGeneration | None, index: int
) -> None:
    if generation is None:
        return
    places: list[tuple[Object, str]] = []
    if generation.append_index_to_config_map_refs:
        places += _volume_references(guest, _CONFIG_MAPS)
    if generation.append_index_to_secret_refs:
        places += [*_volume_references(guest, _SECRETS), *_secret_references(guest)]
    for holder, field in places:
        _rename(holder, field, lambda name: _numbered(name, index))


def _volume_references(guest: Object, fields: tuple[tuple[str, str], ...]) -> Iterator[tuple[Object, str]]:
    for volume in guest.get("volumes", ()):
        for source, field in fields:
            holder = volume.get(source, {})
            named = holder.get(field)
            if isinstance(named, dict):
                yield named, "name"
            elif named is not None:
                yield holder, field


def _secret_references(guest: Object) -> Iterator[tuple[Object, str]]:
    for volume in guest.get("volumes", ()):
        for source in _CLOUD_INIT:
            for field in _CLOUD_INIT_SECRETS:
                if found := volume.get(source, {}).get(field):
                    yield found, "name"
    for credential in guest.get("accessCredentials", ()):
        for way in credential.values():
            if found := way.get("source", {}).get("secret"):
                yield found, "secretName"


def _rename(holder: Object | None, field: str, how: Callable[[str], str]) -> None:
    if holder is not None and holder.get(field):
        holder[field] = how(holder[field])


def _numbered(name: str, index: int) -> str:
    return f"{name}-{index}"
