"""The guest's serial console for many readers: what it wrote is kept in a bounded ring and shared out.

QEMU connects here, so that nothing is lost from the first byte on; a slow reader is dropped and never holds
up the guest.
"""
