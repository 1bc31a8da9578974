"""What loading uvicorn costs each process that serves."""

import subprocess
import sys


def test_a_server_loads_nothing_of_uvicorns_command_line() -> None:
    code = """
import sys, virtdeck.serving.server
print(*sorted({"click", "multiprocessing", "uvicorn.main", "uvicorn.supervisors"} & set(sys.modules)))
import uvicorn.main
print(uvicorn.main.Server.__name__)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout == "\nServer\n"
