"""The firmware of the machine that the KVM probe starts: 64-bit mode, one memory access, one exit."""

_ROM_BYTES = 65536
_HALT = b"\xf4"
_RESET_VECTOR = 0xFFF0
_JUMP_TO_START = bytes.fromhex("ea 0000 00f0")  # ljmp 0xf000:0

DEBUG_EXIT_PORT = 0xF4
# isa-debug-exit ends QEMU with (value << 1) | 1; the program writes 0x10.
EXIT_CODE = 0x21

_PROGRAM = bytes.fromhex(
    "fa 31c0 8ed8"  # cli; ds = 0
    "66c706 0010 03200000  66c706 0410 00000000"  # page tables: PML4[0] -> 0x2000
    "66c706 0020 03300000  66c706 0420 00000000"  # PDPT[0] -> 0x3000
    "66c706 0030 83000000  66c706 0430 00000000"  # PD[0] = the first 2 MiB, mapped to itself
    "b800f0 8ed8  660f0116c000"  # ds = 0xf000; lgdtl the table below
    "0f20e0 6683c820 0f22e0"  # cr4.PAE
    "66b800100000 0f22d8"  # cr3 = 0x1000
    "66b9800000c0 0f32 660d00010000 0f30"  # EFER.LME by rdmsr and wrmsr
    "0f20c0 660d01000080 0f22c0"  # cr0.PG and cr0.PE
    "66ea 7d000f00 0800"  # ljmpl to the next line, as 64-bit code
    "66b81000 8ed8 bc00700000 0fa2"  # ds, stack, cpuid
    "48c7c300400000 48891b 48391b 7507"  # write and compare a word; on a difference, halt
    "66baf400 b010 ee"  # 0x10 to the debug exit port
    "f4 ebfd 0f1f440000"  # hlt for ever
    "0000000000000000 00000000009a2000 0000000000920000"  # GDT: null, 64-bit code, data
    "1700 a8000f00 6690"  # its size and address
)


def probe_rom() -> bytes:
    """The image for QEMU's ``-bios``."""
    body = _PROGRAM.ljust(_RESET_VECTOR, _HALT) + _JUMP_TO_START
    return body.ljust(_ROM_BYTES, _HALT)
