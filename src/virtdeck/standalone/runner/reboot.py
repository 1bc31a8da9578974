"""Notices that the host was started anew since the runner last ran."""

from pathlib import Path

_FILE = "boot-id"


def clear_after_reboot(run_dir: Path, boot_id: str) -> bool:
    """True, once, when what ``run_dir`` speaks of belongs to an earlier boot, or there was nothing yet."""
    run_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    note = run_dir / _FILE
    if note.exists() and note.read_text() == boot_id:
        return False
    note.write_text(boot_id)
    return True
