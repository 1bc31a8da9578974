"""Whatever becomes of its VMIs, a set comes to rest with as many as it should have, and harms no other."""

from dataclasses import dataclass, field

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.controllers.replica_set.sets import guest, replica_set, seen

from virtdeck.controllers.replica_set.decide import decide
from virtdeck.controllers.replica_set.observed import AdoptVmi, CreateVmi, DeleteVmi, ReleaseVmi, Seen

_STATES = st.sampled_from(["ready", "starting", "ended", "failed", "unknown", "gone"])
_FATES = st.lists(st.tuples(st.integers(0, 20), _STATES), max_size=6)
_LIVING = {"ready", "starting"}
_DEAD = {"ended", "failed", "unknown"}


@dataclass
class _World:
    """Guests by name and state: those of the set, those that it could have, those that it should let go."""

    replicas: int
    paused: bool
    members: dict[str, str]
    loose: dict[str, str]
    strays: dict[str, str]
    born: int = 0
    left: set[str] = field(default_factory=set)

    def seen(self) -> Seen:
        spec = {"replicas": self.replicas, "paused": self.paused}
        return seen(
            replica_set(spec=spec),
            *(guest(name, state) for name, state in self.members.items()),
            loose=tuple(guest(name, state) for name, state in self.loose.items()),
            strays=tuple(guest(name, state) for name, state in self.strays.items()),
            free=tuple(f"new-{self.born + number}" for number in range(20)),
        )

    def living(self) -> int:
        return sum(state in _LIVING for state in self.members.values())

    def step(self) -> bool:
        """One look and its deeds; whether there was anything to do."""
        actions = decide(self.seen()).actions
        for action in actions:
            match action:
                case CreateVmi(name=name):
                    assert name not in self.members
                    self.members[name], self.born = "starting", self.born + 1
                case DeleteVmi(vmi=vmi):
                    self.members[vmi.metadata.name] = "gone"
                case AdoptVmi(vmi=vmi):
                    self.members[vmi.metadata.name] = self.loose.pop(vmi.metadata.name)
                case ReleaseVmi(vmi=vmi):
                    del self.strays[vmi.metadata.name]
                    self.left.add(vmi.metadata.name)
        return bool(actions)

    def happens(self, which: int, state: str) -> None:
        """Something becomes of a guest; one that is going is gone in the end."""
        if self.members:
            name = sorted(self.members)[which % len(self.members)]
            if self.members[name] == "gone":
                del self.members[name]
            else:
                self.members[name] = state


def _guests(prefix: str) -> st.SearchStrategy[dict[str, str]]:
    return st.lists(_STATES, max_size=5).map(
        lambda states: {f"{prefix}-{number}": state for number, state in enumerate(states)}
    )


@settings(max_examples=100, deadline=None)
@given(
    st.builds(
        _World,
        replicas=st.integers(0, 7),
        paused=st.booleans(),
        members=_guests("m"),
        loose=_guests("l"),
        strays=_guests("s"),
    ),
    _FATES,
)
def test_a_set_comes_to_rest_with_its_replicas(world: _World, fates: list[tuple[int, str]]) -> None:
    strays = set(world.strays)
    for which, state in fates:
        before = world.living() + len(world.loose)
        world.step()
        assert world.paused or world.living() <= max(before, world.replicas)
        world.happens(which, state)
    looks = 0
    while world.step():
        looks += 1
        assert looks <= 3
    assert (world.strays, world.left, world.loose) == ({}, strays, {})
    if not world.paused:
        assert world.living() == world.replicas
        assert not _DEAD & set(world.members.values())


@settings(max_examples=60, deadline=None)
@given(_guests("m"), st.integers(0, 7))
def test_no_guest_that_serves_goes_before_one_that_does_not(members: dict[str, str], replicas: int) -> None:
    world = _World(replicas, False, dict(members), {}, {})
    world.step()
    ended = {name for name, state in world.members.items() if state == "gone" and members[name] != "gone"}
    if any(members[name] == "ready" for name in ended):
        assert all(name in ended for name, state in members.items() if state == "starting")
    assert all(members[name] in _DEAD for name in ended) or world.living() == replicas
