"""``python -m virtdeck.gateway --config FILE``."""

from virtdeck.gateway.main import main

if __name__ == "__main__":
    main()
