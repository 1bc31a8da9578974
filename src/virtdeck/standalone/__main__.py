"""``python -m virtdeck.standalone``: what ``./virtdeck`` hands over to."""

import sys

from virtdeck.standalone.cli import main

sys.exit(main(sys.argv[1:]))
