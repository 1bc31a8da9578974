"""System calls that no launcher needs; pure.

A list of what is denied, not of what is allowed: guests run under QEMU, whose needs change with each release,
and the container has no capability anyway. What is here has been a way out of containers, or shapes the host.
"""

from typing import Any

_EPERM = 1
_ENOSYS = 38
# clone's CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET: a launcher makes no namespace.
_NAMESPACES = (0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000)

DENIED = (
    *("acct", "add_key", "keyctl", "request_key", "bpf", "perf_event_open", "ptrace", "process_vm_readv"),
    *("process_vm_writev", "kcmp", "kexec_load", "kexec_file_load", "init_module", "finit_module"),
    *(
        "delete_module",
        "mount",
        "umount",
        "umount2",
        "pivot_root",
        "chroot",
        "setns",
        "unshare",
        "move_mount",
    ),
    *("open_tree", "fsopen", "fsconfig", "fsmount", "fspick", "mount_setattr", "name_to_handle_at"),
    *("open_by_handle_at", "swapon", "swapoff", "reboot", "settimeofday", "clock_settime", "clock_adjtime"),
    *("adjtimex", "sethostname", "setdomainname", "quotactl", "quotactl_fd", "nfsservctl", "lookup_dcookie"),
    *("iopl", "ioperm", "modify_ldt", "vm86", "vm86old", "syslog", "vhangup", "uselib", "ustat", "sysfs"),
    *("_sysctl", "userfaultfd", "io_uring_setup", "io_uring_enter", "io_uring_register"),
    *("fanotify_init", "pidfd_getfd"),
)


def profile() -> dict[str, Any]:
    """The profile as an OCI runtime reads it."""
    syscalls: list[dict[str, Any]] = [
        {"names": list(DENIED), "action": "SCMP_ACT_ERRNO", "errnoRet": _EPERM},
        # clone3 keeps its flags in memory, where no filter sees them; libc then falls back to clone.
        {"names": ["clone3"], "action": "SCMP_ACT_ERRNO", "errnoRet": _ENOSYS},
    ]
    syscalls += [
        {"names": ["clone"], "action": "SCMP_ACT_ERRNO", "args": [_has(flag)]} for flag in _NAMESPACES
    ]
    return {
        "defaultAction": "SCMP_ACT_ALLOW",
        "architectures": ["SCMP_ARCH_X86_64"],
        "syscalls": syscalls,
    }


def _has(flag: int) -> dict[str, Any]:
    return {"index": 0, "value": flag, "valueTwo": flag, "op": "SCMP_CMP_MASKED_EQ"}
