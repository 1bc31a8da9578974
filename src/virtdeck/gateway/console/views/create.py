"""The form that creates a machine, and the manifest that it stands for; each can be made from the other."""

import copy
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

import yaml

from virtdeck.basis.errors import Cause, Invalid
from virtdeck.crds.quantity import parse_bytes
from virtdeck.gateway.console.views.offers import (
    Pick,
    answer_of,
    instancetype_matcher,
    preference_matcher,
)
from virtdeck.safety.yaml_text import compose, read_documents
from virtdeck.web.words import mark

NAME = re.compile(r"[a-z0-9]([-a-z0-9.]*[a-z0-9])?")
LONGEST_NAME = 253
ROOT_DISK, SEED_DISK, NETWORK = "rootdisk", "cloudinit", "default"
SMALLEST_MEMORY = 16 << 20
MOST_YAML = 256 << 10
FORM_FIELDS = (
    ("metadata.name", "name"),
    ("metadata.namespace", "namespace"),
    ("spec.template.spec.domain.cpu", "cpu"),
    ("spec.template.spec.domain.memory", "memory"),
    ("spec.template.spec.domain.resources", "memory"),
    ("spec.template.spec.volumes[0]", "image"),
    (f"spec.template.spec.volumes[{ROOT_DISK}]", "image"),
    ("spec.template.spec.volumes[1]", "user"),
    (f"spec.template.spec.volumes[{SEED_DISK}]", "user"),
    ("spec.runStrategy", "run"),
    ("spec.instancetype", "instancetype"),
    ("spec.preference", "preference"),
)
"""Where in the form the server's complaint about a field belongs: the first that it begins with."""


@dataclass(frozen=True)
class CreateForm:
    """The answers as typed. base: YAML that the form was made from; what it does not ask for is kept."""

    name: str = ""
    namespace: str = "default"
    image: str = ""
    cpu: str = "1"
    memory: str = "512Mi"
    instancetype: str = ""
    preference: str = ""
    user: str = ""
    password: str = ""
    ssh_key: str = ""
    run: str = "yes"
    base: str = ""

    @classmethod
    def parse(cls, posted: Mapping[str, Any]) -> "CreateForm":
        """The answers in a posted form; a checkbox that is not there was not ticked."""
        said = {one.name: str(posted.get(one.name, "")) for one in fields(cls)}
        return cls(
            **{name: value if name in ("password", "base") else value.strip() for name, value in said.items()}
        )

    def values(self) -> dict[str, str]:
        return asdict(self)


def check(form: CreateForm) -> dict[str, str]:
    """What is wrong at which field, before the server is asked."""
    wrong = {
        "name": _wrong_name(form.name),
        "namespace": "" if NAME.fullmatch(form.namespace) else mark("Choose a project."),
        "image": "" if form.image and not re.search(r"\s", form.image) else mark("Choose or type an image."),
        "cpu": "" if form.instancetype else _wrong_cpu(form.cpu),
        "memory": "" if form.instancetype else _wrong_memory(form.memory),
        "instancetype": _wrong_project(form.instancetype, form.namespace),
        "preference": _wrong_project(form.preference, form.namespace),
        "user": mark("A password needs a user name.") if (form.password and not form.user) else "",
        "ssh_key": _wrong_key(form.ssh_key),
    }
    return {name: text for name, text in wrong.items() if text}


def _wrong_name(name: str) -> str:
    if not name:
        return mark("A name is needed.")
    if len(name) > LONGEST_NAME or not NAME.fullmatch(name):
        return mark("Use small letters, digits and hyphens; begin and end with a letter or digit.")
    return ""


def _wrong_cpu(text: str) -> str:
    valid = text.isascii() and text.isdigit() and 1 <= int(text[:5]) <= 512
    return "" if valid else mark("A whole number from 1 to 512.")


def _wrong_memory(text: str) -> str:
    try:
        amount = parse_bytes(text)
    except Invalid:
        return mark("Write an amount with its unit, such as 512Mi or 2Gi.")
    return "" if amount >= SMALLEST_MEMORY else mark("At least 16Mi; 512Mi or 2Gi are usual.")


def _wrong_project(answer: str, namespace: str) -> str:
    at_home = Pick.parse(answer).namespace in ("", namespace)
    return (
        ""
        if at_home
        else mark("It belongs to another project; choose one of the cluster's or of this project.")
    )


def _wrong_key(text: str) -> str:
    kinds = ("ssh-", "ecdsa-", "sk-")
    lines = [line for line in text.splitlines() if line.strip()]
    fine = all(line.strip().startswith(kinds) and len(line.split()) >= 2 for line in lines)
    return "" if fine else mark("Paste a public key, beginning with ssh-ed25519, ssh-rsa or ecdsa-.")


def user_data(form: CreateForm) -> str:
    """The cloud-config for the answers; empty when nothing is asked of cloud-init."""
    keys = [line.strip() for line in form.ssh_key.splitlines() if line.strip()]
    config: dict[str, Any] = {}
    if form.user:
        config["user"] = form.user
    if form.password:
        config |= {"password": form.password, "chpasswd": {"expire": False}, "ssh_pwauth": True}
    if keys:
        config["ssh_authorized_keys"] = keys
    return "#cloud-config\n" + yaml.safe_dump(config, sort_keys=False, allow_unicode=True) if config else ""


def manifest(form: CreateForm) -> dict[str, Any]:
    """The VirtualMachine that the form stands for, laid over what it was made from."""
    vm = copy.deepcopy(parse_manifest(form.base)) if form.base.strip() else {}
    vm |= {"apiVersion": vm.get("apiVersion", "kubevirt.io/v1"), "kind": "VirtualMachine"}
    meta = _at(vm, "metadata")
    meta |= {"name": form.name, "namespace": form.namespace}
    spec = _at(vm, "spec")
    spec.pop("running", None)
    now = spec.get("runStrategy")
    spec["runStrategy"] = (now if now not in (None, "Halted") else "RerunOnFailure") if form.run else "Halted"
    _lay_matchers(spec, form)
    guest = _at(spec, "template", "spec")
    _lay_hardware(guest, form)
    _lay_volumes(guest, form)
    return {name: vm[name] for name in ("apiVersion", "kind", "metadata", "spec")} | vm


def _at(where: dict[str, Any], *path: str) -> dict[str, Any]:
    """The dict at the path, made if it is not there."""
    for name in path:
        found = where.get(name)
        if not isinstance(found, dict):
            found = where[name] = {}
        where = found
    return where


def _lay_matchers(spec: dict[str, Any], form: CreateForm) -> None:
    """The machine names what was chosen; what infers, which the form does not ask for, is kept."""
    chosen = (
        ("instancetype", form.instancetype, instancetype_matcher),
        ("preference", form.preference, preference_matcher),
    )
    for which, answer, matcher in chosen:
        known = _dict(spec.get(which))
        if answer and answer != answer_of(known, form.namespace):
            spec[which] = matcher(answer)
        elif not answer and not known.get("inferFromVolume"):
            spec.pop(which, None)


def _lay_hardware(guest: dict[str, Any], form: CreateForm) -> None:
    domain = _at(guest, "domain")
    if form.instancetype:
        _leave_size_open(domain)
    else:
        _lay_size(domain, form)
    devices = _at(domain, "devices")
    if not devices.get("interfaces") and not guest.get("networks"):
        devices["interfaces"] = [{"name": NETWORK, "masquerade": {}}]
        guest["networks"] = [{"name": NETWORK, "pod": {}}]


def _leave_size_open(domain: dict[str, Any]) -> None:
    """What an instance type gives, a machine may not say as well."""
    for part, said in (("cpu", ("cores", "sockets", "threads")), ("memory", ("guest",))):
        kept = {name: value for name, value in _dict(domain.get(part)).items() if name not in said}
        if kept:
            domain[part] = kept
        else:
            domain.pop(part, None)


def _lay_size(domain: dict[str, Any], form: CreateForm) -> None:
    cpu = _at(domain, "cpu")
    if _int(cpu.get("sockets")) * _int(cpu.get("threads")) * _int(cpu.get("cores")) != _int(form.cpu):
        domain["cpu"] = {name: value for name, value in cpu.items() if name not in ("sockets", "threads")} | {
            "cores": int(form.cpu) if form.cpu.isdigit() else form.cpu
        }
    _at(domain, "memory")["guest"] = form.memory


def _int(value: Any) -> int:
    return int(value) if str(value).isdigit() else 1


def _lay_volumes(guest: dict[str, Any], form: CreateForm) -> None:
    bus = {} if form.preference else {"bus": "virtio"}
    root = _volume(guest, "containerDisk", ROOT_DISK, bus)
    _at(root, "containerDisk")["image"] = form.image
    seed = user_data(form)
    known = _found(guest, "cloudInitNoCloud")
    if known is not None and _answers(known) == (form.user, form.password, form.ssh_key.strip()):
        return
    if seed:
        source = _at(_volume(guest, "cloudInitNoCloud", SEED_DISK, bus), "cloudInitNoCloud")
        source.pop("userDataBase64", None)
        source["userData"] = seed


def _found(guest: dict[str, Any], source: str) -> dict[str, Any] | None:
    volumes = guest.get("volumes")
    return (
        next((one for one in volumes if isinstance(one, dict) and source in one), None)
        if isinstance(volumes, list)
        else None
    )


def _volume(guest: dict[str, Any], source: str, name: str, target: dict[str, str]) -> dict[str, Any]:
    """The volume with that source; made, with its disk, if there is none. target: how the guest sees it."""
    found = _found(guest, source)
    if found is None:
        found = {"name": name}
        if not isinstance(guest.get("volumes"), list):
            guest["volumes"] = []
        guest["volumes"].append(found)
        devices = _at(guest, "domain", "devices")
        if not isinstance(devices.get("disks"), list):
            devices["disks"] = []
        devices["disks"].append({"name": name, "disk": dict(target)})
    return found


def parse_manifest(text: str) -> dict[str, Any]:
    """The one object in the YAML (JSON is YAML). Raises: Invalid, naming the line."""
    if len(text.encode()) > MOST_YAML:
        raise Invalid(mark("The text is longer than 256 KiB."))
    found = read_documents(text)
    if len(found) != 1 or not isinstance(found[0], dict):
        raise Invalid(mark("The text must hold exactly one object."))
    return found[0]


def form_of(vm: dict[str, Any], base: str) -> CreateForm:
    """The form for a manifest; what the form does not ask for stays in ``base``."""
    meta, spec = _dict(vm.get("metadata")), _dict(vm.get("spec"))
    guest = _dict(_dict(spec.get("template")).get("spec"))
    domain = _dict(guest.get("domain"))
    cpu = _dict(domain.get("cpu"))
    root, seed = _found(guest, "containerDisk"), _found(guest, "cloudInitNoCloud")
    user, password, keys = _answers(seed) if seed else ("", "", "")
    namespace = str(meta.get("namespace") or "default")
    count = _int(cpu.get("sockets")) * _int(cpu.get("threads")) * _int(cpu.get("cores"))
    return CreateForm(
        name=str(meta.get("name", "")),
        namespace=namespace,
        image=str(_dict(root.get("containerDisk")).get("image", "")) if root else "",
        cpu=str(count),
        memory=_memory(domain),
        instancetype=answer_of(spec.get("instancetype"), namespace),
        preference=answer_of(spec.get("preference"), namespace),
        user=user,
        password=password,
        ssh_key=keys,
        run="yes" if spec.get("running") or spec.get("runStrategy") not in (None, "Halted") else "",
        base=base,
    )


def _memory(domain: dict[str, Any]) -> str:
    guest = _dict(domain.get("memory")).get("guest")
    return str(guest or _dict(_dict(domain.get("resources")).get("requests")).get("memory") or "512Mi")


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _answers(seed: dict[str, Any]) -> tuple[str, str, str]:
    """User, password and keys that a seed's cloud-config says, as far as the form asks for them."""
    text = _dict(seed.get("cloudInitNoCloud")).get("userData")
    try:
        found = read_documents(text) if isinstance(text, str) else []
    except Invalid:
        found = []
    config = _dict(found[0]) if len(found) == 1 else {}
    keys = config.get("ssh_authorized_keys")
    lines = "\n".join(map(str, keys)) if isinstance(keys, list) else ""
    return str(config.get("user") or ""), str(config.get("password") or ""), lines


def place_causes(causes: tuple[Cause, ...]) -> tuple[dict[str, str], tuple[Cause, ...]]:
    """The server's complaints by form field, and those that belong to none."""
    placed: dict[str, str] = {}
    rest: list[Cause] = []
    for cause in causes:
        name = next((name for path, name in FORM_FIELDS if cause.field.startswith(path)), "")
        if name and name not in placed:
            placed[name] = cause.message
        else:
            rest.append(cause)
    return placed, tuple(rest)


def lines_of(text: str, causes: Iterable[Cause]) -> list[tuple[int, Cause]]:
    """Each complaint with the line of the YAML that its field path names."""
    found = list(causes)
    tree = compose(text) if any(not cause.field.startswith("line ") for cause in found) else None
    return [(_line(tree, cause.field), cause) for cause in found]


def _line(tree: Any, field: str) -> int:
    """The line, as near as it can be found; 0 when it cannot."""
    if field.startswith("line "):
        return int(field[5:]) if field[5:].isdigit() else 0
    line, node = 0, tree
    for part in re.findall(r"[^.\[\]]+", field):
        found = _child(node, part)
        if found is None:
            break
        line, node = found
    return line


def _child(node: Any, part: str) -> tuple[int, Any] | None:
    """Line and node of one step of a path."""
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if key.value == part:
                return key.start_mark.line + 1, value
    if isinstance(node, yaml.SequenceNode) and part.isdigit() and int(part) < len(node.value):
        child = node.value[int(part)]
        return child.start_mark.line + 1, child
    return None
