"""``python -m virtdeck.standalone.renewal STATE``: certificates that are half spent are new afterwards."""

import sys
from pathlib import Path

import structlog

from virtdeck.basis.errors import Conflict
from virtdeck.basis.logging import configure_logging
from virtdeck.standalone.addresses import covered_hosts
from virtdeck.standalone.components import write_kubeconfigs
from virtdeck.standalone.instance import load_instance, split_address
from virtdeck.standalone.pki import Lifetimes, ensure_pki
from virtdeck.standalone.state import StateFolder, held_lock, open_state

log = structlog.get_logger()


def renew(state: StateFolder, lifetimes: Lifetimes | None = None) -> list[str]:
    """What was made anew; the processes that use it follow their files, the admin's kubeconfig is written.

    Raises: Conflict while another command changes the instance.
    """
    with held_lock(state):
        instance = load_instance(state)
        if instance is None:
            return []
        hosts = covered_hosts(split_address(instance.listen)[0])
        made = ensure_pki(state, instance.node_name, *hosts, lifetimes=lifetimes)
        if made:
            write_kubeconfigs(state, instance)
    return made


def main() -> None:
    """One look; the supervisor comes again."""
    configure_logging("renewal", "info")
    try:
        made = renew(open_state(Path(sys.argv[1])))
    except Conflict as fault:
        log.info("renewal_postponed", reason=fault.message)  # up or down is at work, and up renews itself
        return
    if made:
        log.info("certificates_renewed", names=made)


if __name__ == "__main__":
    main()
