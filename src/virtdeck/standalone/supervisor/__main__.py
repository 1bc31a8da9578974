"""``python -m virtdeck.standalone.supervisor STATE``: the process behind ``virtdeck up``."""

import sys
from pathlib import Path

from virtdeck.standalone.components import programs
from virtdeck.standalone.state import open_state
from virtdeck.standalone.supervisor.loop import Supervisor

state = open_state(Path(sys.argv[1]))
Supervisor(programs(state), state.path("run"), state.supervisor_socket).run()
