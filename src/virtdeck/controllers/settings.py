"""What virt-controller is told at its start."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Read from the process's JSON file.

    kubeconfig: path; empty means the pod's own service account. namespace: where the installation is.
    launcher_image, launcher_uid, launcher_gid: what launcher pods run, and as whom; 107 is qemu in KubeVirt's
    images. leader_election: off where only one virt-controller can run, which saves a write every 2 s.
    identity: who holds the lease; empty means the host's name. workers: keys of one kind that are worked on
    at once; most of a reconcile is waiting. verbosity: debug adds a line a reconcile with its duration.
    """

    kubeconfig: str = ""
    namespace: str = "kubevirt"
    launcher_image: str = "virtdeck/launcher:latest"
    launcher_uid: int = 107
    launcher_gid: int = 107
    leader_election: bool = True
    identity: str = ""
    workers: int = 4
    verbosity: str = "info"
