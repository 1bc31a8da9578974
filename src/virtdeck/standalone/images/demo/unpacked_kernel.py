"""Rewrites a kernel so that an emulated processor need not unpack it.

Debian's general kernel is packed with xz. Under TCG its own unpacking takes longer than the rest of the
kernel's start; here the host does it once. The result is still a bzImage: its real-mode header, then a page
of code that switches to long mode as the kernel's own loader would, ready-made page tables, and the kernel
where it wants to stand in memory. It boots from a BIOS through GRUB, on machines with 128 MiB and more.
"""

import lzma
import struct
from dataclasses import dataclass

from virtdeck.basis.errors import HostFault

# Fields of the setup header. Source: Documentation/x86/boot.rst
_SETUP_SECTORS = 0x1F1
_SYSTEM_SIZE = 0x1F4
_SIGNATURE = 0x202
_ALIGNMENT = 0x230
_RELOCATABLE = 0x234
_MIN_ALIGNMENT = 0x235
_PAYLOAD = 0x248
_PREFERRED_ADDRESS = 0x258
_INIT_SIZE = 0x260
_XZ = b"\xfd7zXZ\0"

_PAGE = 0x1000
_KERNEL_AT = 0x1000000  # where Debian's kernel is linked to stand
_LOADED_AT = _KERNEL_AT - 8 * _PAGE  # code, then six pages of tables, then one to spare
_TABLES = _PAGE
_PRESENT_WRITABLE = 0x3
_LARGE_PAGE = 0x83

# Entered in 32-bit mode without paging, esi pointing to the boot parameters:
#   cli; cld; lgdt [LOADED_AT+0x100]; cr4 |= PAE; cr3 = LOADED_AT+0x1000; EFER |= LME; cr0 |= PG|PE
#   ljmp 0x10:LOADED_AT+0x80
_ENTER_32 = bytes.fromhex(
    "fafc 0f011500 81ff00 0f20e0 83c820 0f22e0 b80090ff00 0f22d8 b9800000c0 0f32 0d00010000 0f30"
    "0f20c0 0d01000080 0f22c0 ea8080ff00 1000"
)
# In 64-bit mode: data segments = 0x18; esi without its upper half; jump to KERNEL_AT.
_ENTER_64 = bytes.fromhex("b818000000 8ed8 8ec0 8ed0 89f6 b800000001 ffe0")
_GDT_POINTER = struct.pack("<HI", 0x1F, _LOADED_AT + 0x110)
_GDT = struct.pack("<4Q", 0, 0, 0x00AF9A000000FFFF, 0x00CF92000000FFFF)


@dataclass(frozen=True)
class _Kernel:
    """The kernel as it stands in memory, trailing zeros left out. memory: bytes that it takes."""

    image: bytes
    memory: int


def unpacked_kernel(packed: bytes) -> bytes:
    """The same kernel as a bzImage that is not compressed. Raises: HostFault if it was not packed with xz."""
    if packed[_SIGNATURE : _SIGNATURE + 4] != b"HdrS":
        raise HostFault("this is not a Linux kernel")
    setup_bytes = ((packed[_SETUP_SECTORS] or 4) + 1) * 512
    kernel = _flatten(_unpack(packed, setup_bytes))
    code = _loader() + kernel.image
    code += bytes(-len(code) % 16)
    header = bytearray(packed[:setup_bytes])
    struct.pack_into("<I", header, _SYSTEM_SIZE, len(code) // 16)
    struct.pack_into("<I", header, _ALIGNMENT, _PAGE)
    struct.pack_into("<BB", header, _RELOCATABLE, 1, 12)  # GRUB then asks for the preferred address first
    struct.pack_into("<II", header, _PAYLOAD, 0, 0)
    struct.pack_into("<Q", header, _PREFERRED_ADDRESS, _LOADED_AT)
    struct.pack_into("<I", header, _INIT_SIZE, _KERNEL_AT + kernel.memory - _LOADED_AT)
    return bytes(header) + code


def _unpack(packed: bytes, setup_bytes: int) -> bytes:
    offset, length = struct.unpack_from("<II", packed, _PAYLOAD)
    payload = packed[setup_bytes + offset : setup_bytes + offset + length]
    if not payload.startswith(_XZ):
        raise HostFault("the kernel is not packed with xz")
    try:
        return lzma.LZMADecompressor(format=lzma.FORMAT_XZ).decompress(payload)
    except lzma.LZMAError as fault:
        raise HostFault("the kernel's package is damaged") from fault


def _flatten(elf: bytes) -> _Kernel:
    """Every loadable segment at its physical address. Source: elf(5)"""
    entry, table = struct.unpack_from("<QQ", elf, 24)
    size, count = struct.unpack_from("<HH", elf, 54)
    if elf[:4] != b"\x7fELF" or entry != _KERNEL_AT:
        raise HostFault("the kernel is not linked as Debian's are")
    segments = [struct.unpack_from("<IIQQQQQQ", elf, table + index * size) for index in range(count)]
    loaded = [
        (at - _KERNEL_AT, offset, length, memory)
        for kind, _, offset, _, at, length, memory, _ in segments
        if kind == 1
    ]
    end = max(at + memory for at, _, _, memory in loaded)
    image = bytearray(end)
    for at, offset, length, _ in loaded:
        image[at : at + length] = elf[offset : offset + length]
    return _Kernel(bytes(image).rstrip(b"\0"), end)


def _loader() -> bytes:
    """The code above and tables that map the first 4 GiB to themselves."""
    pages = bytearray(_KERNEL_AT - _LOADED_AT)
    for at, part in ((0, _ENTER_32), (0x80, _ENTER_64), (0x100, _GDT_POINTER), (0x110, _GDT)):
        pages[at : at + len(part)] = part
    first = _LOADED_AT + _TABLES
    struct.pack_into("<Q", pages, _TABLES, first + _PAGE | _PRESENT_WRITABLE)
    for gigabyte in range(4):
        directory = _TABLES + (2 + gigabyte) * _PAGE
        struct.pack_into(
            "<Q", pages, _TABLES + _PAGE + 8 * gigabyte, _LOADED_AT + directory | _PRESENT_WRITABLE
        )
        entries = [gigabyte << 30 | index << 21 | _LARGE_PAGE for index in range(512)]
        struct.pack_into("<512Q", pages, directory, *entries)
    return bytes(pages)
