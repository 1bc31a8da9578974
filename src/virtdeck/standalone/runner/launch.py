"""What a pod asks of its container, read once and checked; pure."""

from dataclasses import dataclass

from virtdeck.basis.errors import Invalid
from virtdeck.crds.core.pod import Pod
from virtdeck.crds.core.pod_containers import Container
from virtdeck.crds.core.pod_volumes import PodVolume, VolumeMount
from virtdeck.crds.quantity import parse_bytes

REFUSED = "UnsupportedPod"
_KVM = "devices.kubevirt.io/kvm"
_VHOST_NET = "devices.kubevirt.io/vhost-net"
_CAPABILITIES = frozenset({"NET_BIND_SERVICE"})
_VOLUME_KINDS = ("empty_dir", "secret", "config_map", "downward_api", "projected", "image")


@dataclass(frozen=True)
class Launch:
    """A container that the runner is willing to run. memory_limit: bytes, None for no limit."""

    container: str
    args: tuple[str, ...]
    env: tuple[tuple[str, str], ...]
    uid: int
    gid: int
    groups: tuple[int, ...]
    hostname: str
    memory_limit: int | None
    kvm: bool
    vhost_net: bool
    capabilities: tuple[str, ...]
    volumes: tuple[PodVolume, ...]
    mounts: tuple[VolumeMount, ...]


def read_launch(pod: Pod, launcher_image: str) -> Launch:
    """The container that the pod wants. Raises: Invalid (UnsupportedPod), with every reason at once."""
    reasons = tuple(_objections(pod, launcher_image))
    if reasons:
        raise Invalid(
            f"virtdeck runs only the pods of its own virtual machines: {'; '.join(reasons)}", reason=REFUSED
        )
    (container,) = pod.spec.containers
    uid, gid, groups = _identity(pod, container)
    limits = (container.resources and container.resources.limits) or {}
    wanted = {**((container.resources and container.resources.requests) or {}), **limits}
    return Launch(
        container=container.name,
        args=container.args or (),
        env=tuple((variable.name, variable.value or "") for variable in container.env or ()),
        uid=uid,
        gid=gid,
        groups=groups,
        hostname=(pod.spec.hostname or pod.metadata.name)[:63],
        memory_limit=parse_bytes(limits["memory"]) if "memory" in limits else None,
        kvm=_KVM in wanted,
        vhost_net=_VHOST_NET in wanted,
        capabilities=_added(container),
        volumes=pod.spec.volumes or (),
        mounts=container.volume_mounts or (),
    )


def _objections(pod: Pod, launcher_image: str) -> list[str]:
    spec = pod.spec
    found = [_about_containers(pod, launcher_image)]
    shared = ("host_network", "host_pid", "host_ipc", "share_process_namespace")
    found += [f"it asks for {name}" for name in shared if getattr(spec, name)]
    if spec.restart_policy not in {None, "Never"}:
        found.append("its restartPolicy is not Never")
    if len(spec.containers) == 1:
        found += _about_rights(pod, spec.containers[0])
    known = {volume.name for volume in spec.volumes or ()}
    for volume in spec.volumes or ():
        if not any(getattr(volume, kind) is not None for kind in _VOLUME_KINDS):
            found.append(f"the volume {volume.name} is of a kind that is not supported")
    for mount in (spec.containers[0].volume_mounts or ()) if spec.containers else ():
        found += _about_mount(mount, known)
    return [reason for reason in found if reason]


def _about_containers(pod: Pod, launcher_image: str) -> str:
    if pod.spec.init_containers or len(pod.spec.containers) != 1:
        return "it does not have exactly one container"
    container = pod.spec.containers[0]
    if _repository(container.image or "") != _repository(launcher_image):
        return f"its image is {container.image}, not {launcher_image}"
    if container.command:
        return "it brings a command of its own"
    return ""


def _about_rights(pod: Pod, container: Container) -> list[str]:
    context = container.security_context
    found = []
    if context is not None and context.privileged:
        found.append("it is privileged")
    if _identity(pod, container)[0] <= 0:
        found.append("it does not say which user but root it runs as")
    if extra := [name for name in _added(container) if name not in _CAPABILITIES]:
        found.append(f"it asks for the capabilities {', '.join(extra)}")
    return found


def _about_mount(mount: VolumeMount, known: set[str]) -> list[str]:
    parts = mount.mount_path.split("/")
    if not mount.mount_path.startswith("/") or ".." in parts or "\0" in mount.mount_path:
        return [f"the mount path {mount.mount_path!r} is not an absolute path"]
    if mount.name not in known:
        return [f"it mounts {mount.name}, which is no volume of it"]
    return ["it mounts a part of a volume (subPath)"] if mount.sub_path else []


def _identity(pod: Pod, container: Container) -> tuple[int, int, tuple[int, ...]]:
    context, whole = container.security_context, pod.spec.security_context
    uid = (context and context.run_as_user) or (whole and whole.run_as_user) or 0
    gid = (context and context.run_as_group) or (whole and whole.run_as_group) or uid
    groups = {*((whole and whole.supplemental_groups) or ())}
    if whole and whole.fs_group:
        groups.add(whole.fs_group)
    return uid, gid, tuple(sorted(groups - {gid}))


def _added(container: Container) -> tuple[str, ...]:
    context = container.security_context
    if context is None or context.capabilities is None:
        return ()
    return tuple(name.removeprefix("CAP_") for name in context.capabilities.add or ())


def _repository(image: str) -> str:
    return image.partition("@")[0].rpartition(":")[0] or image
