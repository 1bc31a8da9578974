"""The instance type and the preference that a virtual machine names, and its template beside them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from virtdeck.basis.errors import Cause
from virtdeck.crds.kubevirt.vm import VirtualMachineSpec
from virtdeck.crds.plain import Plain
from virtdeck.gateway.admission.choice import BOTH, Choice, Which
from virtdeck.gateway.admission.rule import INVALID, NOT_FOUND, REQUIRED, WARNING, Place, Rules, at
from virtdeck.instancetype.expansion import Chosen, conflicts_with
from virtdeck.instancetype.matchers import FAILURE_POLICIES, Matcher, choices, named_kind
from virtdeck.instancetype.requirements import unmet_architecture, unmet_memory, unmet_processors


@dataclass(frozen=True)
class Matched:
    """A machine's matchers now and before, and what they lead to.

    template: as its author wrote it. complete: expanded and with all defaults; None when it cannot be.
    """

    spec: VirtualMachineSpec
    old: VirtualMachineSpec | None
    choice: Choice
    template: Plain
    complete: Plain | None = None

    def each(self) -> Iterator[tuple[Which, Matcher]]:
        """The matchers that there are."""
        for which in BOTH:
            matcher: Matcher | None = getattr(self.spec, which)
            if matcher is not None:
                yield which, matcher

    def former(self, which: Which) -> Matcher | None:
        """The matcher that was stored."""
        found: Matcher | None = getattr(self.old, which) if self.old else None
        return found


RULES: Rules[Matched] = Rules("VM")
_MATCHER = "spec.{instancetype|preference}"


@RULES.rule("V285 V289", _MATCHER, REQUIRED, "must have a name, or inferFromVolume")
def something_is_named(vm: Matched) -> Iterator[Place]:
    """It has neither."""
    for which, matcher in vm.each():
        if not matcher.name and not matcher.infer_from_volume:
            yield at(which)


@RULES.rule("V286 V290", f"{_MATCHER}.name", INVALID, "must be absent beside inferFromVolume, which finds it")
def a_name_is_not_inferred(vm: Matched) -> Iterator[Place]:
    """inferFromVolume is set as well."""
    for which, matcher in vm.each():
        if matcher.name and matcher.infer_from_volume:
            yield at(which)


@RULES.rule("V287 V291", f"{_MATCHER}.kind", INVALID, "must be absent beside inferFromVolume, which finds it")
def a_kind_is_not_inferred(vm: Matched) -> Iterator[Place]:
    """inferFromVolume is set as well."""
    for which, matcher in vm.each():
        if matcher.kind and matcher.infer_from_volume:
            yield at(which)


@RULES.rule("", f"{_MATCHER}.kind", INVALID, "must be {own} or {cluster}, and is {kind!r}")
def kind_is_one_of_two(vm: Matched) -> Iterator[Place]:
    """It is neither."""
    for which, matcher in vm.each():
        if named_kind(matcher) is None:
            own, cluster = choices(matcher)
            yield at(which, own=own.kind, cluster=cluster.kind, kind=matcher.kind)


@RULES.choice("V288 V292", f"{_MATCHER}.inferFromVolumeFailurePolicy", *FAILURE_POLICIES)
def failure_policy_is_known(vm: Matched) -> Iterator[Place]:
    """It is none of those."""
    for which, matcher in vm.each():
        yield at(which, value=matcher.infer_from_volume_failure_policy)


@RULES.rule(
    "V293", f"{_MATCHER}.revisionName", INVALID, "keeps {kept}, not {name}; name its own revision or none"
)
def revision_is_of_what_is_named(vm: Matched) -> Iterator[Place]:
    """The ControllerRevision keeps another object."""
    for which, matcher in vm.each():
        if which in vm.choice.kept:
            yield at(which, kept=vm.choice.kept[which], name=matcher.name)


@RULES.rule(
    "V294",
    f"{_MATCHER}.revisionName",
    INVALID,
    "is of {former}; with another name, remove it or name another",
)
def revision_changes_with_the_name(vm: Matched) -> Iterator[Place]:
    """The name is another than before and the revision is the same."""
    for which, matcher in vm.each():
        former = vm.former(which)
        if former is None or not former.revision_name or former.name == matcher.name:
            continue
        if former.revision_name == matcher.revision_name:
            yield at(which, former=former.name)


@RULES.rule("V295", f"{_MATCHER}.name", NOT_FOUND, "{why}")
def what_is_named_is_there(vm: Matched) -> Iterator[Place]:
    """A new machine names what is not there."""
    if vm.old is None:
        yield from _missing(vm)


@RULES.rule("", f"{_MATCHER}.name", WARNING, "{why}; the machine cannot start before it is there")
def what_is_named_will_be_missed(vm: Matched) -> Iterator[Place]:
    """A machine that is changed names what is not there."""
    if vm.old is not None:
        yield from _missing(vm)


@RULES.rule("V296", "{field of the template}", INVALID, "{why}")
def template_is_silent_where_the_instance_type_speaks(vm: Matched) -> Iterator[Place]:
    """The instance type gives the field; one cause for each."""
    yield from _places(conflicts_with(vm.template, vm.choice.chosen))


@RULES.rule("V297", "{field of the processors}", NOT_FOUND, "{why}")
def processors_suffice(vm: Matched) -> Iterator[Place]:
    """The preference requires more processors."""
    yield from _unmet(vm, unmet_processors)


@RULES.rule("V298", "{field of the memory}", NOT_FOUND, "{why}")
def memory_suffices(vm: Matched) -> Iterator[Place]:
    """The preference requires more memory."""
    yield from _unmet(vm, unmet_memory)


@RULES.rule("V299", "{field of the architecture}", NOT_FOUND, "{why}")
def architecture_suits(vm: Matched) -> Iterator[Place]:
    """The preference requires another architecture."""
    yield from _unmet(vm, unmet_architecture)


def _missing(vm: Matched) -> Iterator[Place]:
    for which, _ in vm.each():
        if which in vm.choice.missing:
            yield at(which, why=vm.choice.missing[which])


def _unmet(vm: Matched, unmet: Callable[[Plain, Chosen], Iterator[Cause]]) -> Iterator[Place]:
    if vm.complete is not None:
        yield from _places(unmet(vm.complete, vm.choice.chosen))


def _places(causes: Iterator[Cause] | tuple[Cause, ...]) -> Iterator[Place]:
    yield from (at(cause.field, why=cause.message) for cause in causes)
