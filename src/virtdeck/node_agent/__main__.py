"""``python -m virtdeck.node_agent --config FILE``."""

from virtdeck.node_agent.main import main

main()
