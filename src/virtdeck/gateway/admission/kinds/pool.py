"""VirtualMachinePool: what a number of machines can be made of, and how they may come and go."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from virtdeck.basis.errors import Cause
from virtdeck.crds.plain import Plain
from virtdeck.crds.pool.pool import VirtualMachinePool as Pool
from virtdeck.gateway.admission.choice import NO_CHOICE, Choice
from virtdeck.gateway.admission.cluster import ClusterConfig
from virtdeck.gateway.admission.kinds.selecting import selects, why_unreadable
from virtdeck.gateway.admission.kinds.write import Write, examined, judged
from virtdeck.gateway.admission.rule import FORBIDDEN, INVALID, REQUIRED, Place, Rules, at
from virtdeck.gateway.admission.validate import validate_vm
from virtdeck.gateway.admission.verdict import Verdict
from virtdeck.gateway.auth.user import User

RULES: Rules[Write[Pool]] = Rules("Pool")
_TEMPLATE = "spec.virtualMachineTemplate"
_STRATEGIES = ("proactive", "opportunistic", "unmanaged")
_LONGEST_NAME = 58  # leaves room for -9999 in a machine's name
_LONGEST_NUMBER = 9


@RULES.rule("V327", f"{_TEMPLATE}.spec", REQUIRED, "must say what each machine is")
def template_is_there(pool: Write[Pool]) -> Iterator[Place]:
    """It is absent."""
    if pool.obj.spec.virtual_machine_template.spec is None:
        yield at()


@RULES.rule("V328", "spec.selector", INVALID, "cannot be read: {why}")
def selector_can_be_read(pool: Write[Pool]) -> Iterator[Place]:
    """It has a key, operator or value that selectors cannot have."""
    why = why_unreadable(pool.obj.spec.selector)
    if why:
        yield at(why=why)


@RULES.rule("V329", "spec.selector", INVALID, f"must match the labels of {_TEMPLATE}.metadata")
def selector_selects_what_is_made(pool: Write[Pool]) -> Iterator[Place]:
    """Machines made of the template would not belong to the pool."""
    spec = pool.obj.spec
    labels = spec.virtual_machine_template.metadata.labels
    if not why_unreadable(spec.selector) and not selects(spec.selector, labels):
        yield at()


@RULES.rule("V330", "spec.selector", FORBIDDEN, "cannot be changed; make another pool")
def selector_stays(pool: Write[Pool]) -> Iterator[Place]:
    """It is another than it was."""
    if pool.old is not None and pool.obj.spec.selector != pool.old.spec.selector:
        yield at()


@RULES.rule("V331", "spec.maxUnavailable", INVALID, "must be 1 or more, or a share as 25%")
def some_may_be_unavailable(pool: Write[Pool]) -> Iterator[Place]:
    """It is a number below 1."""
    most = pool.obj.spec.max_unavailable
    if isinstance(most, int) and most < 1:
        yield at()


@RULES.rule("V332", "spec.maxUnavailable", INVALID, "must end with % where it is a text, as 25%")
def share_has_a_sign(pool: Write[Pool]) -> Iterator[Place]:
    """It is a text without one."""
    most = pool.obj.spec.max_unavailable
    if isinstance(most, str) and not most.endswith("%"):
        yield at()


@RULES.rule("V333", "spec.maxUnavailable", INVALID, "must be a whole number before the %")
def share_is_a_number(pool: Write[Pool]) -> Iterator[Place]:
    """Something else stands there."""
    share = _share(pool.obj)
    if share is not None and _number(share) is None:
        yield at()


@RULES.rule("V334", "spec.maxUnavailable", INVALID, "must be 1% to 100%")
def share_is_a_share(pool: Write[Pool]) -> Iterator[Place]:
    """It is less or more."""
    number = _number(_share(pool.obj) or "")
    if number is not None and not 1 <= number <= 100:
        yield at()


@RULES.rule("V335", "spec.updateStrategy", INVALID, f"must have at most one of {', '.join(_STRATEGIES)}")
def updates_go_one_way(pool: Write[Pool]) -> Iterator[Place]:
    """There are several."""
    if _several(pool.obj.spec.update_strategy):
        yield at()


@RULES.rule("V336", "spec.scaleInStrategy", INVALID, f"must have at most one of {', '.join(_STRATEGIES)}")
def scaling_in_goes_one_way(pool: Write[Pool]) -> Iterator[Place]:
    """There are several."""
    if _several(pool.obj.spec.scale_in_strategy):
        yield at()


@RULES.rule("", "spec.replicas", INVALID, "must be 0 or more")
def pool_has_a_size(pool: Write[Pool]) -> Iterator[Place]:
    """It is negative."""
    if (pool.obj.spec.replicas or 0) < 0:
        yield at()


@RULES.rule(
    "", "metadata.name", INVALID, f"must have at most {_LONGEST_NAME} characters, for machines get a number"
)
def name_leaves_room(pool: Write[Pool]) -> Iterator[Place]:
    """A machine's name would be too long."""
    if pool.old is None and len(pool.obj.metadata.name) > _LONGEST_NAME:
        yield at()


def validate_pool(
    obj: Plain, old: Plain | None, user: User, cluster: ClusterConfig, choice: Choice = NO_CHOICE
) -> Verdict:
    """A pool, new or changed: its own rules, then a VirtualMachine's on what it makes.

    choice: the instance type and preference that its machines name.
    """

    def verdict(now: Pool, before: Pool | None) -> Verdict:
        if before is not None and now.spec == before.spec:
            return Verdict()
        own = judged(RULES, Write(now, before, user, cluster))
        if now.spec.virtual_machine_template.spec is None:
            return own
        made = validate_vm(pooled_vm(obj), pooled_vm(old) if before else None, user, cluster, choice)
        return Verdict(
            (*own.causes, *map(_in_template, made.causes)),
            (*own.warnings, *(_warned_in_template(warning) for warning in made.warnings)),
        )

    return examined(obj, old, Pool, verdict)


def pooled_vm(obj: Plain | None) -> Plain:
    """The machine that the pool makes, under a name that fits; without a spec when that cannot be found."""
    found: Any = obj
    for name in ("spec", "virtualMachineTemplate", "spec"):
        found = found.get(name) if isinstance(found, dict) else None
    return {"metadata": {"name": "any"}, "spec": found}


def _in_template(cause: Cause) -> Cause:
    return replace(cause, field=f"{_TEMPLATE}.{cause.field}")


def _warned_in_template(warning: str) -> str:
    return f"{_TEMPLATE}.{warning}" if warning.startswith("spec.") else warning


def _share(pool: Pool) -> str | None:
    """What stands before the %, None where there is none."""
    most = pool.spec.max_unavailable
    return most[:-1] if isinstance(most, str) and most.endswith("%") else None


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= _LONGEST_NUMBER else None


def _several(strategy: object) -> bool:
    return sum(getattr(strategy, name, None) is not None for name in _STRATEGIES) > 1
