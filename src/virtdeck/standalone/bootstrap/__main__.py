"""``python -m virtdeck.standalone.bootstrap --config FILE``."""

import argparse
import sys

import anyio

from virtdeck.basis.logging import configure_logging
from virtdeck.basis.settings import load_settings
from virtdeck.standalone.bootstrap.main import install
from virtdeck.standalone.bootstrap.settings import Settings

parser = argparse.ArgumentParser()
parser.add_argument("--config", required=True)
settings = load_settings(Settings, parser.parse_args().config)
configure_logging("bootstrap", settings.verbosity)
anyio.run(install, settings)
sys.exit(0)
