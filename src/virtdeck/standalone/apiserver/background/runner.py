"""Runs all background work in one task group."""

import anyio

from virtdeck.standalone.apiserver.background.accounts import Accounts
from virtdeck.standalone.apiserver.background.aggregated_roles import AggregatedRoles
from virtdeck.standalone.apiserver.background.api_services import ApiServices
from virtdeck.standalone.apiserver.background.authorities import Authorities
from virtdeck.standalone.apiserver.background.budgets import Budgets
from virtdeck.standalone.apiserver.background.compaction import compact_forever
from virtdeck.standalone.apiserver.background.definitions import Definitions
from virtdeck.standalone.apiserver.background.event_expiry import EventExpiry
from virtdeck.standalone.apiserver.background.garbage import GarbageCollector
from virtdeck.standalone.apiserver.background.namespaces import Namespaces
from virtdeck.standalone.apiserver.background.policy_types import PolicyTypes
from virtdeck.standalone.apiserver.background.protection import Protection
from virtdeck.standalone.apiserver.background.quotas import QuotaStatus
from virtdeck.standalone.apiserver.service import Service


async def run_background(service: Service) -> None:
    """Everything that goes on beside requests; ends by cancellation."""
    workers = (
        GarbageCollector(service),
        Namespaces(service),
        Definitions(service),
        Accounts(service),
        Budgets(service),
        Protection(service),
        AggregatedRoles(service),
        ApiServices(service),
        QuotaStatus(service),
        PolicyTypes(service),
    )
    async with anyio.create_task_group() as group:
        for worker in workers:
            group.start_soon(worker.run)
        group.start_soon(EventExpiry(service).run)
        group.start_soon(Authorities(service).run)
        group.start_soon(compact_forever, service.store)
