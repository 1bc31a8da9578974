"""What loading aiohttp costs each process."""

import subprocess
import sys

import pytest

BUNDLES_READ = """
import importlib, os, ssl, sys
bundles = []
load_default_certs = ssl.SSLContext.load_default_certs
def noted(context, *purpose):
    bundles.append(os.environ.get("SSL_CERT_FILE"))
    load_default_certs(context, *purpose)
ssl.SSLContext.load_default_certs = noted
importlib.import_module(sys.argv[1])
print(sum(bundle != os.devnull for bundle in bundles))
"""
PROCESSES = (
    "virtdeck.gateway.main",
    "virtdeck.controllers.main",
    "virtdeck.node_agent.main",
    "virtdeck.standalone.runner.main",
    "virtdeck.standalone.bootstrap.main",
)


@pytest.mark.parametrize("module", PROCESSES)
def test_no_process_reads_the_hosts_certificate_bundle_when_it_starts(module: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", BUNDLES_READ, module],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stdout == "0\n"
