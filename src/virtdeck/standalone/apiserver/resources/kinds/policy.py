"""Network policies and disruption budgets."""

from collections.abc import Iterator

from virtdeck.basis.errors import Cause
from virtdeck.crds.names import invalid_value
from virtdeck.standalone.apiserver.resources.checks import (
    PROTOCOLS,
    at_least,
    is_network,
    is_port_or_name,
    one_of,
)
from virtdeck.standalone.apiserver.resources.rules import Obj, Rules

_DIRECTIONS = ("Egress", "Ingress")


class NetworkPolicyRules(Rules):
    """NetworkPolicies: checked and kept for those who move to a cluster."""

    has_generation = True

    def default(self, obj: Obj) -> None:
        spec = obj.setdefault("spec", {})
        for rule in _rules(spec):
            for port in rule.get("ports") or ():
                port.setdefault("protocol", "TCP")
        if not spec.get("policyTypes"):
            spec["policyTypes"] = ["Ingress", *(["Egress"] if spec.get("egress") else [])]

    def causes(self, obj: Obj) -> list[Cause]:
        spec = obj["spec"]
        causes: list[Cause] = []
        for part, peers in (("ingress", "from"), ("egress", "to")):
            for index, rule in enumerate(spec.get(part) or ()):
                causes += _of_rule(rule, f"spec.{part}[{index}]", peers)
        for index, kind in enumerate(spec.get("policyTypes") or ()):
            causes += one_of(f"spec.policyTypes[{index}]", kind, _DIRECTIONS)
        return causes

    def warnings(self, obj: Obj) -> list[str]:
        return ["network policies are kept, but nothing on this machine enforces them"]


def _rules(spec: Obj) -> Iterator[Obj]:
    yield from spec.get("ingress") or ()
    yield from spec.get("egress") or ()


def _of_rule(rule: Obj, path: str, peers: str) -> Iterator[Cause]:
    for place, port in enumerate(rule.get("ports") or ()):
        yield from one_of(f"{path}.ports[{place}].protocol", port.get("protocol"), PROTOCOLS)
        if "port" in port:
            yield from is_port_or_name(f"{path}.ports[{place}].port", port["port"])
    for place, peer in enumerate(rule.get(peers) or ()):
        here = f"{path}.{peers}[{place}]"
        if not peer:
            yield Cause(here, "Required value: must specify a peer", "FieldValueRequired")
        elif block := peer.get("ipBlock"):
            if len(peer) > 1:
                text = "Forbidden: may not specify both ipBlock and another peer"
                yield Cause(here, text, "FieldValueForbidden")
            yield from is_network(f"{here}.ipBlock.cidr", block.get("cidr"))
            for at, network in enumerate(block.get("except") or ()):
                yield from is_network(f"{here}.ipBlock.except[{at}]", network)


class PodDisruptionBudgetRules(Rules):
    """Budgets: at least so many of the selected pods shall be well, or at most so many not."""

    has_status = True
    has_generation = True

    def causes(self, obj: Obj) -> list[Cause]:
        spec = obj.get("spec") or {}
        causes = []
        if "minAvailable" in spec and "maxUnavailable" in spec:
            text = "Invalid value: minAvailable and maxUnavailable cannot be both set"
            causes.append(Cause("spec", text))
        for name in ("minAvailable", "maxUnavailable"):
            causes += _of_share(spec.get(name), f"spec.{name}")
        return causes


def _of_share(value: object, path: str) -> list[Cause]:
    """A number, or a share of all."""
    if value is None or isinstance(value, int):
        return at_least(path, value)
    text = str(value)
    if not text.endswith("%") or not text[:-1].isascii() or not text[:-1].isdigit():
        why = "a valid percent string must be a numeric string followed by an ending '%'"
        return [invalid_value(path, text, why)]
    return [] if int(text[:-1]) <= 100 else [invalid_value(path, text, "must not be greater than 100%")]
