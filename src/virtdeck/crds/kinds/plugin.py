"""The kind of ``plugin.kubevirt.io``."""

from typing import TYPE_CHECKING, Any

from virtdeck.crds.kinds.kind import Kind

if TYPE_CHECKING:
    from virtdeck.crds.plugin.plugin import Plugin

PLUGIN: "Kind[Plugin]" = Kind(
    "plugin.kubevirt.io",
    "v1alpha1",
    "plugins",
    "Plugin",
    "plugin.plugin:Plugin",
    namespaced=False,
    users="nobody",
)

KINDS: tuple[Kind[Any], ...] = (PLUGIN,)
