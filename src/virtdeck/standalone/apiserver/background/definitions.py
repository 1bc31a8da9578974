"""CRDs that are being deleted: their objects go, then they do; and CRDs that wait for their names."""

from virtdeck.basis.clock import rfc3339
from virtdeck.standalone.apiserver.background.internal import Obj, change, without_finalizer
from virtdeck.standalone.apiserver.background.namespaces import CONTROLLER
from virtdeck.standalone.apiserver.background.worker import Worker
from virtdeck.standalone.apiserver.problems import StatusError
from virtdeck.standalone.apiserver.resources.crd_names import set_condition, settle_names
from virtdeck.standalone.apiserver.resources.crd_rules import CLEANUP_FINALIZER
from virtdeck.standalone.apiserver.resources.definitions import stored_resource
from virtdeck.standalone.apiserver.service import Service
from virtdeck.standalone.apiserver.storage.rows import Row
from virtdeck.standalone.apiserver.storage.shelf import Shelf
from virtdeck.standalone.apiserver.storage.timeline import Change, Event
from virtdeck.standalone.apiserver.verbs.attributes import Attributes
from virtdeck.standalone.apiserver.verbs.deletion import DeleteOptions

_DEFINITIONS = "apiextensions.k8s.io/customresourcedefinitions"


class Definitions(Worker[str]):
    """Deletes every object of a CRD that is being deleted, and gives free names to CRDs that want them."""

    def __init__(self, service: Service) -> None:
        self._shelf = service.store.shelf(_DEFINITIONS)
        super().__init__(service)

    def start(self) -> None:
        for row in self._shelf.in_order(None):
            if row.terminating:
                self.due(row.name)

    def hear(self, shelf: Shelf, event: Event) -> None:
        if shelf is self._shelf:
            if event.row.terminating and event.change is not Change.DELETED:
                self.due(event.row.name)
            for name in self.service.registry.unaccepted(event.row.name.partition(".")[2]):
                if name != event.row.name:
                    self.due(name)
        elif event.change is Change.DELETED:
            plural_group = ".".join(reversed(shelf.resource.split("/", 1)))
            row = self._shelf.get(("", plural_group))
            if row is not None and row.terminating:
                self.due(row.name)

    async def handle(self, key: str) -> None:
        row = self._shelf.get(("", key))
        if row is None:
            return
        if row.terminating:
            await self._clear(row)
        else:
            await change(self.store, self._shelf, row, self._settle)

    def _settle(self, definition: Obj) -> None:
        taken = self.service.registry.names_taken(definition["spec"]["group"], definition["metadata"]["name"])
        settle_names(definition, taken, rfc3339(self.service.clock.now()))

    def _mark(self, definition: Obj) -> None:
        text = "its objects are being deleted"
        now = rfc3339(self.service.clock.now())
        set_condition(definition, now, "Terminating", "InstanceDeletionInProgress", text)

    async def _clear(self, row: Row) -> None:
        await change(self.store, self._shelf, row, self._mark)
        definition = row.decode()
        spec = definition["spec"]
        shelf = self.store.shelf(f"{spec['group']}/{spec['names']['plural']}")
        resource = self.service.registry.of_shelf(shelf.resource) or stored_resource(definition, row.data)
        for item in list(shelf.rows.values()):
            if item.terminating:
                continue
            attributes = Attributes(resource, "DELETE", item.namespace, item.name, user=CONTROLLER)
            try:
                await self.service.deleter.delete(attributes, DeleteOptions(propagation="Background"))
            except StatusError as fault:
                if fault.code != 404:
                    raise
        if not shelf.rows:
            await change(self.store, self._shelf, row, without_finalizer(CLEANUP_FINALIZER))
