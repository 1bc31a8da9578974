"""Text that is written in one place and said in the reader's language in another."""

from dataclasses import dataclass, field


def mark(text: str) -> str:
    """The text itself; tells the extractor that it will be translated later."""
    return text


@dataclass(frozen=True)
class Text:
    """A sentence with parameters (``%(name)s``), translated when it is shown."""

    message: str
    values: dict[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.message % self.values if self.values else self.message
