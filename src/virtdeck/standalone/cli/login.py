"""``virtdeck login``: a one-time link to the console, made with the administrator's certificate."""

import argparse
import http.client
import json
import ssl

from virtdeck.basis.errors import Absent, HostFault
from virtdeck.standalone.cli.words import answer
from virtdeck.standalone.instance import Instance, load_instance
from virtdeck.standalone.state import StateFolder


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """No options of its own."""


def run(options: argparse.Namespace) -> int:
    """Prints the link."""
    state = StateFolder(options.state.absolute())
    answer(new_login_link(state, require_instance(state)))
    return 0


def require_instance(state: StateFolder) -> Instance:
    """The instance of the state folder. Raises: Absent."""
    instance = load_instance(state)
    if instance is None:
        raise Absent(f"no instance was ever started with the state folder {state.root}; run ./virtdeck up")
    return instance


def new_login_link(state: StateFolder, instance: Instance) -> str:
    """A link that logs its first user in. Raises: Absent, HostFault."""
    context = ssl.create_default_context(cafile=str(state.path("pki", "component-ca.crt")))
    context.load_cert_chain(state.path("pki", "admin.crt"), state.path("pki", "admin.key"))
    connection = http.client.HTTPSConnection("127.0.0.1", instance.gateway_port, timeout=10, context=context)
    try:
        connection.request(
            "POST", "/auth/login-links", body=b"{}", headers={"Content-Type": "application/json"}
        )
        response = connection.getresponse()
        body = response.read()
    except OSError as fault:
        raise Absent("the console does not answer; ./virtdeck status tells what is wrong") from fault
    finally:
        connection.close()
    if response.status not in (200, 201):
        raise HostFault(f"the console refused to make a login link ({response.status}): {body[:500]!r}")
    return str(json.loads(body)["url"])
