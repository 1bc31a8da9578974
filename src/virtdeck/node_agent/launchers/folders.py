"""Where the kubelet keeps a pod's volumes, opened without following any link."""

from virtdeck.basis.errors import Invalid
from virtdeck.safety.paths import Directory, open_trusted

PRIVATE_VOLUME = "private"
KERNEL_BOOT_VOLUME = "kernel-boot"
_UID_CHARACTERS = frozenset("0123456789abcdefghijklmnopqrstuvwxyz-")


class PodFolders:
    """The kubelet's folder of pods; ``kubelet_dir`` is one that only root can change."""

    def __init__(self, kubelet_dir: str) -> None:
        self._root = kubelet_dir

    def open_empty_dir(self, pod_uid: str, volume: str) -> Directory:
        """The pod's emptyDir volume. Raises: Absent until the kubelet has made it, UnsafePath."""
        return self._open(pod_uid, "kubernetes.io~empty-dir", volume)

    def open_image(self, pod_uid: str, volume: str) -> Directory:
        """The files of the pod's image volume. Raises: Absent, UnsafePath."""
        return self._open(pod_uid, "kubernetes.io~image", volume)

    def _open(self, pod_uid: str, plugin: str, volume: str) -> Directory:
        if not pod_uid or not _UID_CHARACTERS.issuperset(pod_uid) or "/" in volume:
            raise Invalid(f"{pod_uid!r} is not the uid of a pod")
        with open_trusted(self._root) as root:
            return root.directory(f"pods/{pod_uid}/volumes/{plugin}/{volume}")
