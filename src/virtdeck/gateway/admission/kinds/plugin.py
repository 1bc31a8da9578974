"""Plugin: expressions that can be read, and sockets that lead nowhere else."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from virtdeck.crds.plain import Plain
from virtdeck.crds.plugin.plugin import Plugin
from virtdeck.gateway.admission.cluster import ClusterConfig
from virtdeck.gateway.admission.kinds.write import Write, examined, judged
from virtdeck.gateway.admission.rule import INVALID, WARNING, Place, Rules, at
from virtdeck.gateway.admission.stored_only import stored_only
from virtdeck.gateway.admission.verdict import Verdict
from virtdeck.gateway.admission.words import is_clean_absolute_path
from virtdeck.gateway.auth.user import User

WhyNot = Callable[[str], str | None]


@dataclass(frozen=True)
class PluginWrite(Write[Plugin]):
    """why_not: what keeps a text from being a CEL expression, None when nothing does; itself None where
    nobody can tell, and then that is said."""

    why_not: WhyNot | None = None


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
    yield from _unreadable(plugin, plugin.obj.spec.condition)


@RULES.rule("V414", "spec.domainHooks[].cel.expression", INVALID, _CEL)
def mutation_can_be_read(plugin: PluginWrite) -> Iterator[Place]:
    """It is no CEL expression."""
    for index, hook in enumerate(plugin.obj.spec.domain_hooks or ()):
        yield from _unreadable(plugin, hook.cel.expression if hook.cel else None, index)


@RULES.rule("V415", "spec.domainHooks[].condition", INVALID, _CEL)
def domain_hook_condition_can_be_read(plugin: PluginWrite) -> Iterator[Place]:
    """It is no CEL expression."""
    for index, hook in enumerate(plugin.obj.spec.domain_hooks or ()):
        yield from _unreadable(plugin, hook.condition, index)


@RULES.rule("V416", "spec.nodeHooks[].condition", INVALID, _CEL)
def node_hook_condition_can_be_read(plugin: PluginWrite) -> Iterator[Place]:
    """It is no CEL expression."""
    for index, hook in enumerate(plugin.obj.spec.node_hooks or ()):
        yield from _unreadable(plugin, hook.condition, index)


@RULES.rule("", "spec", WARNING, "has CEL expressions, which this release stores unchecked")
def expressions_are_checked(plugin: PluginWrite) -> Iterator[Place]:
    """There is nobody who can tell what a CEL expression is."""
    if plugin.why_not is None and any(_expressions(plugin.obj)):
        yield at()


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


def validate_plugin(
    obj: Plain, old: Plain | None, user: User, cluster: ClusterConfig, why_not: WhyNot | None = None
) -> Verdict:
    """A plugin, new or changed. why_not: as ``PluginWrite`` has it."""
    stored = stored_only("plugins.plugin.kubevirt.io") if old is None else ""
    return examined(
        obj,
        old,
        Plugin,
        lambda now, before: judged(RULES, PluginWrite(now, before, user, cluster, why_not), stored=stored),
    )


def _unreadable(plugin: PluginWrite, text: str | None, *gaps: int) -> Iterator[Place]:
    why = plugin.why_not(text) if text and plugin.why_not else None
    if why:
        yield at(*gaps, why=why)


def _expressions(plugin: Plugin) -> Iterator[str | None]:
    yield plugin.spec.condition
    for hook in plugin.spec.domain_hooks or ():
        yield hook.condition
        yield hook.cel.expression if hook.cel else None
    for node_hook in plugin.spec.node_hooks or ():
        yield node_hook.condition
