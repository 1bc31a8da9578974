"""Images and nodes: what machines are made of and run on."""

from starlette.responses import Response

from virtdeck.basis.errors import Refused
from virtdeck.gateway.console.routes import Route
from virtdeck.gateway.console.routes.machines import seen
from virtdeck.gateway.console.views.images import image_list
from virtdeck.gateway.console.views.nodes import node_views
from virtdeck.gateway.console.visit import Visit
from virtdeck.web.words import mark


async def images(visit: Visit) -> Response:
    """The local image store."""
    if not await visit.may("create", "virtualmachines.kubevirt.io", namespace=visit.project):
        raise Refused(mark("The images of this host are shown to those who may create virtual machines."))
    model = {"images": image_list(visit.desk.settings.images_dir)}
    return await visit.page("images.html", "images", model)


async def nodes(visit: Visit) -> Response:
    """All nodes, for those who may list them."""
    if not await visit.may("list", "nodes"):
        return await visit.page("nodes.html", "nodes", {"nodes": None})
    model = {"nodes": node_views(visit.desk.caches.nodes.all(), await seen(visit))}
    return await visit.page("nodes.html", "nodes", model, live="page=nodes")


ROUTES = (
    Route("GET", "/images", images),
    Route("GET", "/nodes", nodes),
)
