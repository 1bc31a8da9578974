"""What the pod runner is told once, at its start."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, kw_only=True)
class RunnerSettings:
    """kubeconfig … source_dir: absolute paths. instance_id: six hex digits, part of every name on the host.

    launcher_image: the name of the host's own root file system; other tags of it are run as well.
    """

    kubeconfig: str
    node_name: str
    instance_id: str
    state_dir: str
    kubelet_dir: str
    images_dir: str
    log_dir: str
    bridge: str
    pod_subnet: str
    launcher_image: str
    venv_dir: str
    source_dir: str
    # IPv6 for pods as well when set, as in fd00:1234::/64.
    pod_subnet6: str = ""
    cni_dir: str = "/usr/lib/cni"
    conmon: str = "/usr/bin/conmon"
    runc: str = "/usr/sbin/runc"
    # Empty: /run/virtdeck-<instance_id>, which a reboot clears.
    run_dir: str = ""
    # Network namespaces with an address that wait for a pod: CNI takes 60 ms, which nobody should wait for.
    ready_networks: int = 2
    # Processes and threads in one container; QEMU has some for each vCPU and disk.
    pids_limit: int = 4096
    # A container's log is started anew beyond this. Units: bytes.
    log_max_bytes: int = 10 << 20
    max_pods: int = 250
    # Not given to pods: the host's own processes and virtdeck's. Units: bytes.
    reserved_memory: int = 512 << 20
    workers: int = 8
    verbosity: str = "info"

    @property
    def state(self) -> Path:
        """Where the runner keeps bundles, CNI leases and notes."""
        return Path(self.state_dir) / "runner"

    @property
    def cgroup(self) -> str:
        """The cgroup above all containers of this instance."""
        return f"virtdeck-{self.instance_id}"

    @property
    def run(self) -> Path:
        """What a reboot makes worthless: runc's own state, network namespaces."""
        return Path(self.run_dir or f"/run/virtdeck-{self.instance_id}")
