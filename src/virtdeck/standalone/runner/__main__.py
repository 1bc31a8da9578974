"""``python -m virtdeck.standalone.runner --config FILE``."""

import sys

from virtdeck.standalone.runner.main import main

if __name__ == "__main__":
    sys.exit(main())
