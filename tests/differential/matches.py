"""Which areas are played with which kubectl, and all of them at once against a server."""

from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tests.differential.answers import Answer
from tests.differential.play import Player
from tests.differential.servers import Server
from tests.differential.steps import Area

_AT_ONCE = 4


@dataclass(frozen=True)
class Match:
    """An area, and the kubectl that plays it when it needs one."""

    area: Area
    version: str = ""
    kubectl: Path | None = None

    @property
    def name(self) -> str:
        return f"{self.area.name}@{self.version}" if self.version else self.area.name

    def play(self, server: Server) -> dict[str, Answer]:
        """The answers, by step."""
        suffix = "-" + self.version.replace(".", "-") if self.version else ""
        return Player(server, self.area, self.kubectl, suffix).play()


def matches(areas: Iterable[Area], kubectls: Mapping[str, Path]) -> Iterator[Match]:
    """Each area once, or once for each kubectl."""
    for area in areas:
        if area.each_kubectl:
            yield from (Match(area, version, path) for version, path in kubectls.items())
        else:
            yield Match(area)


def play_all(server: Server, found: Iterable[Match]) -> dict[str, dict[str, Answer]]:
    """Every match's answers by its name; a few are played side by side."""
    listed = list(found)
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        answers = list(pool.map(lambda match: match.play(server), listed))
    return {match.name: answer for match, answer in zip(listed, answers, strict=True)}
