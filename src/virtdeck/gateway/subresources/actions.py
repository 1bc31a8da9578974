"""All actions by the name that ``routes`` gives them."""

from typing import Final

from virtdeck.gateway.subresources import evacuation, expanding
from virtdeck.gateway.subresources import guest_actions as guest
from virtdeck.gateway.subresources import power_actions as power
from virtdeck.gateway.subresources import whole_actions as whole
from virtdeck.gateway.subresources.calls import Action

ACTIONS: Final[dict[str, Action]] = {
    "start": power.start,
    "stop": power.stop,
    "restart": power.restart,
    "migrate": power.migrate,
    "pause": guest.pause,
    "unpause": guest.unpause,
    "freeze": guest.freeze,
    "unfreeze": guest.unfreeze,
    "reset": guest.reset,
    "softreboot": guest.softreboot,
    "sendkeys": guest.sendkeys,
    "guest_report": guest.guest_report,
    "sessions": guest.sessions,
    "screenshot": guest.screenshot,
    "expand_spec": expanding.expand_spec,
    "expand_given": expanding.expand_given,
    "version": whole.version,
    "guestfs": whole.guestfs,
    "healthz": whole.healthz,
    "hotplug": whole.hotplug,
    "object_graph": whole.object_graph,
    "sev": whole.sev,
    "profiler": whole.profiler,
    "backup": whole.backup,
    "cancel_evacuation": evacuation.cancel_evacuation,
}
