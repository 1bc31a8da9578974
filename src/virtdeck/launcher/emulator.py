"""Which QEMU runs guests."""

EMULATOR = "/usr/bin/qemu-system-x86_64"
