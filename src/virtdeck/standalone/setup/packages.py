"""Debian packages that virtdeck needs, and why; nothing else lists them."""

RUN: dict[str, str] = {
    "qemu-system-x86": "runs the guests",
    "qemu-utils": "makes disk overlays (qemu-img)",
    "seabios": "BIOS firmware of the guests",
    "ipxe-qemu": "network boot firmware of the guests' cards",
    "ovmf": "UEFI firmware of the guests",
    "libvirt-daemon": "manages one QEMU in each virtual machine's container",
    "libvirt-daemon-driver-qemu": "libvirt's side of QEMU",
    "libvirt-clients": "virsh and XML checks, for diagnosis",
    "runc": "makes the containers",
    "conmon": "keeps containers alive while virtdeck restarts",
    "containernetworking-plugins": "gives containers their network (CNI)",
    "nftables": "address translation of containers and guests",
    "iproute2": "shows and repairs links and routes",
    "skopeo": "pulls container images",
    "xorriso": "writes cloud-init images",
    "e2fsprogs": "writes the demo guest's file system",
    "kubernetes-client": "kubectl",
    "procps": "shows processes, for diagnosis",
    "ca-certificates": "trust for image registries",
}

TEST: dict[str, str] = {
    "busybox-static": "user space of the tests' smallest guests",
    "chromium": "a real browser for the tests of the console",
    "fonts-noto-cjk": "shows Traditional Chinese in screenshots",
    "fonts-dejavu-core": "shows text in screenshots",
    "tesseract-ocr": "reads a guest's screen in the tests",
    "openssh-client": "logs in to guests in the tests",
    "libatomic1": "the browser driver of the tests needs it",
    "git": "lists the project's own files in the tests",
}


def wanted(purpose: str) -> dict[str, str]:
    """Package to reason, for ``run`` or ``test``."""
    return {**RUN, **TEST} if purpose == "test" else dict(RUN)
