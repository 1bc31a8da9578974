"""Whether a node's virt-handler still speaks; pure."""

from datetime import datetime

from virtdeck.basis.clock import parse_rfc3339
from virtdeck.controllers import names
from virtdeck.crds.core.node import Node

SILENT_AFTER_SECONDS = 300.0


def last_heartbeat(node: Node) -> datetime | None:
    """When virt-handler last spoke; None when it never did or wrote what is no time."""
    text = (node.metadata.annotations or {}).get(names.HEARTBEAT, "").strip('"')
    try:
        return parse_rfc3339(text) if text else None
    except ValueError:
        return None


def is_silent(node: Node | None, now: datetime) -> bool:
    """True when virt-handler spoke once and has not for five minutes; that says nothing about its guests."""
    moment = last_heartbeat(node) if node else None
    return moment is not None and (now - moment).total_seconds() > SILENT_AFTER_SECONDS
