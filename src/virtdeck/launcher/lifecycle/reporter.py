"""Keeps what virt-handler is told, and tells it at each change."""

from collections.abc import Callable

from virtdeck.basis.clock import Clock, rfc3339
from virtdeck.launcher.lifecycle.life import Life
from virtdeck.launcher.log import log
from virtdeck.wire.launcher import AgentFacts, DomainFacts, LauncherState

Listener = Callable[[LauncherState], None]


class Reporter:
    """The launcher's whole state. A change that changes nothing is not told."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.life = Life(since=rfc3339(clock.now()))
        self.agent = AgentFacts()
        self.domain: DomainFacts | None = None
        self.listener: Listener | None = None
        self._serial = 1

    def state(self) -> LauncherState:
        """All of it, as of now."""
        life = self.life
        return LauncherState(
            serial=self._serial,
            phase=life.phase,
            since=life.since,
            end_reason=life.end_reason,
            pause_reason=life.pause_reason,
            message=life.message,
            domain=self.domain,
            agent=self.agent,
            reboots=life.reboots,
        )

    def live(self, life: Life) -> None:
        """The domain's life went on."""
        if life != self.life:
            if life.phase != self.life.phase:
                log("phase_changed", phase=life.phase, reason=life.end_reason or life.pause_reason)
            self.life = life
            self._tell()

    def learn_domain(self, domain: DomainFacts) -> None:
        """libvirt said what it made."""
        if domain != self.domain:
            self.domain = domain
            self._tell()

    def learn_agent(self, agent: AgentFacts) -> None:
        """The guest's agent said something, or is silent."""
        if agent != self.agent:
            self.agent = agent
            self._tell()

    def _tell(self) -> None:
        self._serial += 1
        if self.listener is not None:
            self.listener(self.state())
