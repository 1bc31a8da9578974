"""``python -m virtdeck.standalone.apiserver --config F``."""

from virtdeck.standalone.apiserver.main import main

if __name__ == "__main__":
    main()
