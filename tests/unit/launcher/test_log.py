"""The launcher's log lines."""

import json
import os
import subprocess
import sys


def test_line_is_one_json_object() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "from virtdeck.launcher.log import log; log('domain_started', name='a\\nb')"],
        capture_output=True,
        text=True,
        check=True,
    )
    [line] = done.stderr.splitlines()
    assert json.loads(line)["name"] == "a\nb"


def test_launcher_runs_on_when_nobody_reads_its_log() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    code = "from virtdeck.launcher.log import log; log('one'); log('two'); print('alive')"
    done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=writer, check=False)
    os.close(writer)
    assert done.stdout == b"alive\n"
