"""What is said of a QEMU that ended badly."""

import signal
from pathlib import Path

import pytest

from virtdeck.launcher.lifecycle.last_words import MAX_WORDS, describe_end, read_pid, read_tail

STAMP = "2026-11-30T18:57:38.151630Z "


@pytest.mark.parametrize(
    ("code", "log", "words"),
    [
        (None, "", ""),
        (0, "", ""),
        (1, "", "it ended with exit code 1"),
        (-signal.SIGSEGV, "", "it died of SIGSEGV"),
        (-signal.SIGKILL, "", "it was killed (SIGKILL): by hand, or by the kernel for want of memory"),
        (
            1,
            f"{STAMP}qemu-system-x86_64: no luck\n2026-11-30+0000: shutting down, reason=crashed\n",
            "it ended with exit code 1; qemu-system-x86_64: no luck",
        ),
        (None, "-device virtio-net \\\n-msg timestamp=on\n", ""),
    ],
)
def test_the_cause_is_told_as_far_as_it_is_known(code: int | None, log: str, words: str) -> None:
    assert describe_end(code, log) == words


def test_words_are_bounded() -> None:
    assert len(describe_end(1, f"{STAMP}qemu: " + "x" * 5000)) == MAX_WORDS


def test_a_missing_file_says_nothing(tmp_path: Path) -> None:
    assert read_tail(str(tmp_path / "no")) == ""
    assert read_pid(str(tmp_path / "no")) is None
    (tmp_path / "pid").write_text("123\n")
    assert read_pid(str(tmp_path / "pid")) == 123
