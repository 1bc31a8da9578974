"""Plugin: expressions that can be read, and sockets that lead nowhere else."""

from collections.abc import Iterator
from dataclasses import dataclass

from virtdeck.crds.plain import Plain
from virtdeck.crds.plugin.plugin import Plugin
from virtdeck.gateway.admission.cluster import ClusterConfig
from virtdeck.gateway.admission.kinds.write import Write, examined, judged
from virtdeck.gateway.admission.rule import INVALID, Place, Rules, at
from virtdeck.gateway.admission.stored_only import stored_only
from virtdeck.gateway.admission.verdict import Verdict
from virtdeck.gateway.admission.words import is_clean_absolute_path
from virtdeck.gateway.auth.user import User


@dataclass(frozen=True)
class PluginWrite(Write[Plugin]):
    """A plugin that is written."""


RULES: Rules[PluginWrite] = Rules("Plugin")
_CEL = "must be a CEL expression: {why}"


@RULES.gate("V411", "spec", "Plugins")
def plugins_need_their_gate(plugin: PluginWrite) -> Iterator[Place]:
    """It is new."""
    if plugin.old is None:
        yield at()


@RULES.rule("V412", "spec.condition", INVALID, _CEL)
def condition_can_be_read(plugin: PluginWrite) -> Iterator[Place]:
    """It is no CEL expression."""
    yield from _unreadable(plugin.obj.spec.condition)


@RULES.rule("V414", "spec.domainHooks[].cel.expression", INVALID, _CEL)
def mutation_can_be_read(plugin: PluginWrite) -> Iterator[Place]:
    """It is no CEL expression."""
    for index, hook in enumerate(plugin.obj.spec.domain_hooks or ()):
        yield from _unreadable(hook.cel.expression if hook.cel else None, index)


@RULES.rule("V415", "spec.domainHooks[].condition", INVALID, _CEL)
def domain_hook_condition_can_be_read(plugin: PluginWrite) -> Iterator[Place]:
    """It is no CEL expression."""
    for index, hook in enumerate(plugin.obj.spec.domain_hooks or ()):
        yield from _unreadable(hook.condition, index)


@RULES.rule("V416", "spec.nodeHooks[].condition", INVALID, _CEL)
def node_hook_condition_can_be_read(plugin: PluginWrite) -> Iterator[Place]:
    """It is no CEL expression."""
    for index, hook in enumerate(plugin.obj.spec.node_hooks or ()):
        yield from _unreadable(hook.condition, index)


@RULES.rule(
    "V417",
    "spec.domainHooks[].sidecar.socketPath",
    INVALID,
    "must be an absolute path without . and .. parts, as /var/run/plugin/hook.sock",
)
def socket_path_is_clean(plugin: PluginWrite) -> Iterator[Place]:
    """It is relative, or could lead elsewhere."""
    for index, hook in enumerate(plugin.obj.spec.domain_hooks or ()):
        if hook.sidecar is not None and not is_clean_absolute_path(hook.sidecar.socket_path):
            yield at(index)


def validate_plugin(obj: Plain, old: Plain | None, user: User, cluster: ClusterConfig) -> Verdict:
    """A plugin, new or changed."""
    stored = stored_only("plugins.plugin.kubevirt.io") if old is None else ""
    return examined(
        obj,
        old,
        Plugin,
        lambda now, before: judged(RULES, PluginWrite(now, before, user, cluster), stored=stored),
    )


def _unreadable(text: str | None, *gaps: int) -> Iterator[Place]:
    if not text:
        return
    from virtdeck.cel.parser import parse  # loaded with the first expression
    from virtdeck.cel.syntax import ExpressionError

    try:
        parse(text)
    except ExpressionError as fault:
        for offset, sentence in fault.faults:
            yield at(*gaps, why=f"{sentence} (after {offset} characters)")
