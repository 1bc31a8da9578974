"""Webhooks fail closed and hold up nobody else."""

import base64

import pytest

from virtdeck import install
from virtdeck.crds.kinds import CUSTOM

STANDALONE = install.Gateway("PEM", url="https://127.0.0.1:8443")
CLUSTER = install.Gateway("PEM", namespace="vms")


@pytest.mark.parametrize("gateway", [STANDALONE, CLUSTER], ids=["standalone", "cluster"])
def test_every_webhook_fails_closed_and_is_limited_to_ours(gateway: install.Gateway) -> None:
    """An eviction is no exception to the limit by its own doing: it does not carry its pod's labels."""
    for configuration in install.webhook_configurations(gateway):
        for webhook in configuration["webhooks"]:
            if webhook["rules"][0]["resources"] == ["pods/eviction"]:
                assert (webhook["failurePolicy"], webhook["sideEffects"]) == ("Ignore", "NoneOnDryRun")
                continue
            assert webhook["failurePolicy"] == "Fail"
            assert webhook["sideEffects"] == "None"
            assert webhook["timeoutSeconds"] <= 10
            assert base64.b64decode(webhook["clientConfig"]["caBundle"]) == b"PEM"
            (rule,) = webhook["rules"]
            (group,) = rule["apiGroups"]
            narrowed = {"objectSelector", "matchConditions"} & set(webhook)
            assert group in {kind.group for kind in CUSTOM} or narrowed
            assert "*" not in str(rule)


def test_names_are_unique_in_a_configuration() -> None:
    for configuration in install.webhook_configurations(CLUSTER):
        names = [webhook["name"] for webhook in configuration["webhooks"]]
        assert len(names) == len(set(names))


def test_one_machine_uses_urls_and_a_cluster_services() -> None:
    for webhook in install.webhook_configurations(STANDALONE)[0]["webhooks"]:
        assert webhook["clientConfig"]["url"].startswith("https://127.0.0.1:8443/virtualmachine")
        assert "service" not in webhook["clientConfig"]
    for webhook in install.webhook_configurations(CLUSTER)[0]["webhooks"]:
        assert webhook["clientConfig"]["service"]["namespace"] == "vms"
        assert "url" not in webhook["clientConfig"]


def test_the_aggregated_api_is_found_through_a_service() -> None:
    service = install.gateway_service(STANDALONE)
    assert service["spec"]["type"] == "ExternalName"
    assert service["spec"]["externalName"] == "127.0.0.1"
    for api_service in install.api_services(STANDALONE):
        assert api_service["spec"]["service"] == {"namespace": "kubevirt", "name": "virt-api", "port": 8443}
        spec = api_service["spec"]
        assert api_service["metadata"]["name"] == f"{spec['version']}.{spec['group']}"


def test_an_installation_has_its_kinds_first_and_its_webhooks_last() -> None:
    order = [obj["kind"] for obj in install.installation(STANDALONE, use_emulation=True)]
    assert order[:3] == ["CustomResourceDefinition"] * 3
    assert order[-2:] == ["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"]
    assert order.index("Namespace") < order.index("KubeVirt") < order.index("APIService")
