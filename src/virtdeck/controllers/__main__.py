"""``python -m virtdeck.controllers --config F``: virt-controller."""

from virtdeck.controllers.main import main

main()
