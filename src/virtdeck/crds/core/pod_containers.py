"""Containers of a pod: what runs, with what rights and how much."""

from msgspec import field

from virtdeck.crds.core.handlers import ExecAction, HTTPGetAction, TCPSocketAction
from virtdeck.crds.core.pod_volumes import VolumeMount
from virtdeck.crds.core.references import ObjectFieldSelector
from virtdeck.crds.model import Model
from virtdeck.crds.scalars import Int32, Quantity


class EnvVarSource(Model, frozen=True, kw_only=True):
    """Where a variable's value comes from."""

    field_ref: ObjectFieldSelector | None = None


class EnvVar(Model, frozen=True, kw_only=True):
    """One variable of the environment."""

    name: str
    value: str | None = None
    value_from: EnvVarSource | None = None


class Resources(Model, frozen=True, kw_only=True):
    """What a container is promised and what it may not exceed."""

    requests: dict[str, Quantity] | None = None
    limits: dict[str, Quantity] | None = None


class Capabilities(Model, frozen=True, kw_only=True):
    """Linux capabilities, without the prefix CAP_."""

    add: tuple[str, ...] | None = None
    drop: tuple[str, ...] | None = None


class SeccompProfile(Model, frozen=True, kw_only=True):
    """type: RuntimeDefault, Unconfined or Localhost."""

    type: str
    localhost_profile: str | None = None


class SecurityContext(Model, frozen=True, kw_only=True):
    """The rights of one container."""

    run_as_user: int | None = None
    run_as_group: int | None = None
    run_as_non_root: bool | None = None
    privileged: bool | None = None
    allow_privilege_escalation: bool | None = None
    read_only_root_filesystem: bool | None = None
    capabilities: Capabilities | None = None
    seccomp_profile: SeccompProfile | None = None


class ContainerPort(Model, frozen=True, kw_only=True):
    """A port that a container listens at."""

    container_port: Int32
    name: str | None = None
    protocol: str | None = None


class ContainerProbe(Model, frozen=True, kw_only=True):
    """How a kubelet asks a container whether it is well."""

    exec: ExecAction | None = None
    http_get: HTTPGetAction | None = None
    tcp_socket: TCPSocketAction | None = None
    initial_delay_seconds: Int32 | None = None
    timeout_seconds: Int32 | None = None
    period_seconds: Int32 | None = None
    success_threshold: Int32 | None = None
    failure_threshold: Int32 | None = None


class Container(Model, frozen=True, kw_only=True):
    """One process tree of a pod."""

    name: str
    image: str | None = None
    image_pull_policy: str | None = None
    command: tuple[str, ...] | None = None
    args: tuple[str, ...] | None = None
    working_dir: str | None = None
    env: tuple[EnvVar, ...] | None = None
    ports: tuple[ContainerPort, ...] | None = None
    resources: Resources | None = None
    security_context: SecurityContext | None = None
    volume_mounts: tuple[VolumeMount, ...] | None = None
    liveness_probe: ContainerProbe | None = None
    readiness_probe: ContainerProbe | None = None
    stdin: bool | None = None
    tty: bool | None = None


class ContainerStateWaiting(Model, frozen=True, kw_only=True):
    """Not started yet, and why."""

    reason: str | None = None
    message: str | None = None


class ContainerStateRunning(Model, frozen=True, kw_only=True):
    """Running since."""

    started_at: str | None = None


class ContainerStateTerminated(Model, frozen=True, kw_only=True):
    """Ended, with which code and when."""

    exit_code: Int32 = 0
    signal: Int32 | None = None
    reason: str | None = None
    message: str | None = None
    started_at: str | None = None
    finished_at: str | None = None
    container_id: str | None = field(default=None, name="containerID")


class ContainerState(Model, frozen=True, kw_only=True):
    """Exactly one of the three."""

    waiting: ContainerStateWaiting | None = None
    running: ContainerStateRunning | None = None
    terminated: ContainerStateTerminated | None = None


class ContainerStatus(Model, frozen=True, kw_only=True):
    """How one container is."""

    name: str
    state: ContainerState | None = None
    last_state: ContainerState | None = None
    ready: bool = False
    started: bool | None = None
    restart_count: Int32 = 0
    image: str | None = None
    image_id: str | None = field(default=None, name="imageID")
    container_id: str | None = field(default=None, name="containerID")
