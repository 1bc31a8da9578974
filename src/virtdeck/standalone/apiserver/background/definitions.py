"""CRDs that are being deleted: their objects go, then they do."""

from virtdeck.standalone.apiserver.background.internal import change, without_finalizer
from virtdeck.standalone.apiserver.background.namespaces import CONTROLLER
from virtdeck.standalone.apiserver.background.worker import Worker
from virtdeck.standalone.apiserver.problems import StatusError
from virtdeck.standalone.apiserver.resources.crd_rules import CLEANUP_FINALIZER
from virtdeck.standalone.apiserver.storage.shelf import Shelf
from virtdeck.standalone.apiserver.storage.timeline import Change, Event
from virtdeck.standalone.apiserver.verbs.attributes import Attributes
from virtdeck.standalone.apiserver.verbs.deletion import DeleteOptions

_DEFINITIONS = "apiextensions.k8s.io/customresourcedefinitions"


class Definitions(Worker[str]):
    """Deletes every object of a CRD that is being deleted."""

    def start(self) -> None:
        for row in self.store.shelf(_DEFINITIONS).in_order(None):
            if row.terminating:
                self.due(row.name)

    def hear(self, shelf: Shelf, event: Event) -> None:
        if shelf.resource == _DEFINITIONS:
            if event.row.terminating and event.change is not Change.DELETED:
                self.due(event.row.name)
        elif event.change is Change.DELETED:
            plural_group = ".".join(reversed(shelf.resource.split("/", 1)))
            row = self.store.shelf(_DEFINITIONS).get(("", plural_group))
            if row is not None and row.terminating:
                self.due(row.name)

    async def handle(self, key: str) -> None:
        row = self.store.shelf(_DEFINITIONS).get(("", key))
        if row is None or not row.terminating:
            return
        spec = row.decode()["spec"]
        shelf = self.store.shelf(f"{spec['group']}/{spec['names']['plural']}")
        resource = self.service.registry.of_shelf(shelf.resource)
        for item in list(shelf.rows.values()):
            if resource is None or item.terminating:
                continue
            attributes = Attributes(resource, "DELETE", item.namespace, item.name, user=CONTROLLER)
            try:
                await self.service.deleter.delete(attributes, DeleteOptions(propagation="Background"))
            except StatusError as fault:
                if fault.code != 404:
                    raise
        if not shelf.rows:
            await change(
                self.store, self.store.shelf(_DEFINITIONS), row, without_finalizer(CLEANUP_FINALIZER)
            )
