"""What commands say: progress to stderr, answers to stdout."""

import sys


def say(text: str) -> None:
    """One line of progress for the person at the terminal."""
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


def answer(text: str) -> None:
    """One line of output that a script may read."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()
