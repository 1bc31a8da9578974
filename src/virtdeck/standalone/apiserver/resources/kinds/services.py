"""Services, Endpoints and EndpointSlices."""

from collections.abc import Iterator

from virtdeck.basis.errors import Cause
from virtdeck.crds.names import faults_of_service_name
from virtdeck.standalone.apiserver.resources.checks import (
    PROTOCOLS,
    is_address,
    is_label,
    is_port,
    is_port_or_name,
    one_of,
)
from virtdeck.standalone.apiserver.resources.rules import Obj, Rules, required

_TYPES = ("ClusterIP", "ExternalName", "LoadBalancer", "NodePort")
_AFFINITIES = ("ClientIP", "None")
_FAMILIES = ("IPv4", "IPv6", "FQDN")
_KEPT = "services are kept, but nothing on this machine gives them addresses or routes to them"


class ServiceRules(Rules):
    """Services: headless unless an address was asked for, since nothing routes cluster addresses here."""

    has_status = True

    def faults_of_name(self, name: str) -> list[str]:
        return faults_of_service_name(name)

    def for_create(self, obj: Obj) -> None:
        super().for_create(obj)
        obj["status"] = {"loadBalancer": {}}

    def default(self, obj: Obj) -> None:
        spec = obj.setdefault("spec", {})
        spec.setdefault("type", "ClusterIP")
        spec.setdefault("sessionAffinity", "None")
        if spec["type"] != "ExternalName":
            if spec.get("ports"):  # only who says so has a service without any
                spec.setdefault("clusterIP", "None")
            if spec.get("clusterIP"):
                spec.setdefault("clusterIPs", [spec["clusterIP"]])
            spec.setdefault("internalTrafficPolicy", "Cluster")
            spec.setdefault("ipFamilies", ["IPv4"])
            spec.setdefault("ipFamilyPolicy", "SingleStack")
        for port in spec.get("ports") or ():
            port.setdefault("protocol", "TCP")
            port.setdefault("targetPort", port.get("port"))

    def causes(self, obj: Obj) -> list[Cause]:
        spec = obj["spec"]
        causes = list(_ports(spec))
        if not spec.get("ports") and not spec.get("clusterIP") and spec.get("type") != "ExternalName":
            causes.append(required("spec.ports"))
        causes += one_of("spec.sessionAffinity", spec.get("sessionAffinity"), _AFFINITIES)
        causes += one_of("spec.type", spec.get("type"), _TYPES)
        if spec.get("type") == "ExternalName" and not spec.get("externalName"):
            causes.append(required("spec.externalName"))
        return causes

    def warnings(self, obj: Obj) -> list[str]:
        return [] if (obj.get("spec") or {}).get("type") == "ExternalName" else [_KEPT]


def _ports(spec: Obj) -> Iterator[Cause]:
    ports = spec.get("ports") or []
    names: set[str] = set()
    for index, port in enumerate(ports):
        path, name = f"spec.ports[{index}]", port.get("name") or ""
        if not name and len(ports) > 1:
            yield required(f"{path}.name")
        if name:
            yield from is_label(f"{path}.name", name)
            if name in names:
                yield Cause(f"{path}.name", f'Duplicate value: "{name}"', "FieldValueDuplicate")
        names.add(name)
        yield from is_port(f"{path}.port", port.get("port"))
        yield from one_of(f"{path}.protocol", port.get("protocol"), PROTOCOLS)
        yield from is_port_or_name(f"{path}.targetPort", port.get("targetPort"))


class EndpointsRules(Rules):
    """Endpoints: addresses that others can dial."""

    def default(self, obj: Obj) -> None:
        for subset in obj.get("subsets") or ():
            for port in subset.get("ports") or ():
                port.setdefault("protocol", "TCP")

    def causes(self, obj: Obj) -> list[Cause]:
        causes: list[Cause] = []
        for index, subset in enumerate(obj.get("subsets") or ()):
            path = f"subsets[{index}]"
            for part in ("addresses", "notReadyAddresses"):
                for place, address in enumerate(subset.get(part) or ()):
                    causes += is_address(f"{path}.{part}[{place}].ip", address.get("ip"))
            for place, port in enumerate(subset.get("ports") or ()):
                causes += is_port(f"{path}.ports[{place}].port", port.get("port"))
                causes += one_of(f"{path}.ports[{place}].protocol", port.get("protocol"), PROTOCOLS)
        return causes


class EndpointSliceRules(Rules):
    """EndpointSlices: their kind of address is for good."""

    has_generation = True

    def default(self, obj: Obj) -> None:
        for port in obj.get("ports") or ():
            port.setdefault("protocol", "TCP")
            port.setdefault("name", "")

    def causes(self, obj: Obj) -> list[Cause]:
        causes = one_of("addressType", obj.get("addressType"), _FAMILIES)
        for index, endpoint in enumerate(obj.get("endpoints") or ()):
            path = f"endpoints[{index}].addresses"
            if not endpoint.get("addresses"):
                causes.append(required(path))
            if obj.get("addressType") != "FQDN":
                for place, address in enumerate(endpoint.get("addresses") or ()):
                    causes += is_address(f"{path}[{place}]", address)
        return causes

    def causes_of_update(self, new: Obj, old: Obj) -> list[Cause]:
        if new.get("addressType") == old.get("addressType"):
            return []
        return [Cause("addressType", f'Invalid value: "{new.get("addressType")}": field is immutable')]
