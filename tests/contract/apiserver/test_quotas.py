"""ResourceQuotas and LimitRanges are kept to, whoever writes and however many at once."""

import threading
import time
from typing import Any

import pytest
from tests.contract.apiserver.running import Api


def pod(name: str, **resources: Any) -> dict[str, Any]:
    return {
        "metadata": {"name": name},
        "spec": {"containers": [{"name": "c", "image": "i", "resources": resources}]},
    }


class Place:
    """A namespace with limits."""

    def __init__(self, api: Api, namespace: str) -> None:
        self.api = api
        self.root = f"/api/v1/namespaces/{namespace}"

    def quota(self, **spec: Any) -> None:
        self.api.made(f"{self.root}/resourcequotas", {"metadata": {"name": "q"}, "spec": spec})

    def limits(self, *items: Any) -> dict[str, Any]:
        body = {"metadata": {"name": "l"}, "spec": {"limits": list(items)}}
        return self.api.made(f"{self.root}/limitranges", body)

    def create(self, plural: str, body: Any) -> Any:
        return self.api.post(f"{self.root}/{plural}", body)

    def pod(self, name: str, **resources: Any) -> Any:
        return self.create("pods", pod(name, **resources))

    def used(self, **wanted: str) -> None:
        """The quota's status says so, soon."""
        end = time.monotonic() + 5
        while True:
            status = self.api.get(f"{self.root}/resourcequotas/q").body.get("status") or {}
            if status.get("used") == wanted:
                return
            assert time.monotonic() < end, status
            time.sleep(0.05)


@pytest.fixture
def place(api: Api, namespace: str) -> Place:
    return Place(api, namespace)


def test_quota_counts_pods_and_what_they_ask_for(place: Place) -> None:
    place.quota(hard={"pods": "2", "requests.cpu": "1500m", "limits.memory": "2Gi"})
    assert place.pod("a", requests={"cpu": "1"}, limits={"memory": "1Gi"}).code == 201
    denied = place.pod("b", requests={"cpu": "600m"}, limits={"memory": "1Gi"})
    assert (denied.code, denied.body["reason"]) == (403, "Forbidden")
    assert denied.body["message"] == (
        'pods "b" is forbidden: exceeded quota: q, requested: requests.cpu=600m, used: requests.cpu=1, '
        "limited: requests.cpu=1500m"
    )
    assert place.pod("b", requests={"cpu": "500m"}, limits={"memory": "1Gi"}).code == 201
    denied = place.pod("c", requests={"cpu": "0"}, limits={"memory": "1Gi"})
    assert (
        "requested: limits.memory=1Gi,pods=1, used: limits.memory=2Gi,pods=2, "
        "limited: limits.memory=2Gi,pods=2" in (denied.body["message"])
    )
    place.used(pods="2", **{"requests.cpu": "1500m", "limits.memory": "2Gi"})
    assert place.api.delete(f"{place.root}/pods/a").code == 200
    place.used(pods="1", **{"requests.cpu": "500m", "limits.memory": "1Gi"})
    assert place.pod("c", requests={"cpu": "1"}, limits={"memory": "1Gi"}).code == 201


def test_container_must_say_what_a_quota_bounds(place: Place) -> None:
    place.quota(hard={"limits.cpu": "5", "requests.memory": "1Gi"})
    denied = place.pod("a")
    assert denied.code == 403
    assert denied.body["message"] == (
        'pods "a" is forbidden: failed quota: q: must specify limits.cpu for: c; requests.memory for: c'
    )


def test_any_kind_can_be_counted(place: Place) -> None:
    place.quota(hard={"count/endpoints": "2", "secrets": "1", "services": "1"})
    for name in "ab":
        assert place.create("endpoints", {"metadata": {"name": name}}).code == 201
    assert place.create("endpoints", {"metadata": {"name": "c"}}).code == 403
    assert place.create("secrets", {"metadata": {"name": "a"}}).code == 201
    assert place.create("secrets", {"metadata": {"generateName": "a"}}).code == 403
    assert place.api.patch(f"{place.root}/endpoints/a", {"metadata": {"labels": {"a": "b"}}}).code == 200
    place.used(secrets="1", services="0", **{"count/endpoints": "2"})


def test_claims_may_not_grow_beyond_their_quota(place: Place) -> None:
    def claim(name: str, size: str) -> dict[str, Any]:
        spec = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": size}}}
        return {"metadata": {"name": name}, "spec": spec}

    place.quota(hard={"requests.storage": "3Gi", "persistentvolumeclaims": "5"})
    assert place.create("persistentvolumeclaims", claim("a", "1Gi")).code == 201
    assert place.create("persistentvolumeclaims", claim("b", "3Gi")).code == 403
    path = f"{place.root}/persistentvolumeclaims/a"
    assert place.api.patch(f"{path}/status", {"status": {"phase": "Bound"}}).code == 200
    assert place.api.patch(path, {"spec": {"resources": {"requests": {"storage": "4Gi"}}}}).code == 403
    place.used(persistentvolumeclaims="1", **{"requests.storage": "1Gi"})


def test_dry_run_is_judged_and_uses_nothing(place: Place) -> None:
    place.quota(hard={"count/endpoints": "1"})
    for _ in range(3):
        assert place.create("endpoints?dryRun=All", {"metadata": {"name": "a"}}).code == 201
    assert place.create("endpoints", {"metadata": {"name": "a"}}).code == 201
    assert place.create("endpoints?dryRun=All", {"metadata": {"name": "b"}}).code == 403


def test_many_at_once_never_take_more_than_there_is(place: Place) -> None:
    place.quota(hard={"count/endpoints": "10", "secrets": "7"})
    codes: list[int] = []

    def create(number: int) -> None:
        plural = "endpoints" if number % 2 else "secrets"
        codes.append(place.create(plural, {"metadata": {"name": f"n{number}"}}).code)

    threads = [threading.Thread(target=create, args=(number,)) for number in range(60)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(set(codes)) == [201, 403]
    assert codes.count(201) == 17
    place.used(secrets="7", **{"count/endpoints": "10"})


def test_quota_with_scopes_is_about_their_pods_alone(place: Place) -> None:
    place.quota(hard={"pods": "1"}, scopes=["BestEffort"])
    assert place.pod("a", requests={"cpu": "1"}).code == 201
    assert place.pod("b", requests={"cpu": "1"}).code == 201
    assert place.pod("c").code == 201
    assert place.pod("d").code == 403


@pytest.mark.parametrize(
    "spec",
    [
        {"hard": {"pods": "-1"}},
        {"hard": {}, "scopes": ["Sometimes"]},
        {"hard": {}, "scopes": ["Terminating", "NotTerminating"]},
    ],
)
def test_bad_quota_is_refused(place: Place, spec: Any) -> None:
    assert place.create("resourcequotas", {"metadata": {"name": "q"}, "spec": spec}).code == 422


def test_limit_range_gives_containers_what_they_do_not_say(place: Place) -> None:
    made = place.limits({"type": "Container", "max": {"cpu": "2"}, "defaultRequest": {"memory": "1Gi"}})
    assert made["spec"]["limits"][0]["default"] == {"cpu": "2"}
    first = place.pod("a").body["spec"]["containers"][0]["resources"]
    assert first == {"limits": {"cpu": "2"}, "requests": {"cpu": "2", "memory": "1Gi"}}
    second = place.pod("b", limits={"cpu": "1", "memory": "2Gi"}).body["spec"]["containers"][0]["resources"]
    assert second["requests"] == {"cpu": "1", "memory": "2Gi"}


def test_limit_range_bounds_containers_pods_and_claims(place: Place) -> None:
    place.limits(
        {
            "type": "Container",
            "min": {"cpu": "100m"},
            "max": {"cpu": "2"},
            "maxLimitRequestRatio": {"cpu": "2"},
        },
        {"type": "Pod", "max": {"memory": "1Gi"}},
        {"type": "PersistentVolumeClaim", "min": {"storage": "1Gi"}, "max": {"storage": "2Gi"}},
    )

    def refused(**resources: Any) -> str:
        answer = place.pod("a", **resources)
        assert answer.code == 403, answer.raw
        message: str = answer.body["message"]
        return message.removeprefix('pods "a" is forbidden: ')

    memory = {"memory": "1Gi"}
    assert refused(limits={"cpu": "3", **memory}, requests={"cpu": "2"}) == (
        "maximum cpu usage per Container is 2, but limit is 3"
    )
    assert refused(limits={"cpu": "100m", **memory}, requests={"cpu": "50m"}) == (
        "minimum cpu usage per Container is 100m, but request is 50m"
    )
    assert refused(limits={"cpu": "2", **memory}, requests={"cpu": "500m"}) == (
        "cpu max limit to request ratio per Container is 2, but provided ratio is 4.000000"
    )
    assert refused(limits={"cpu": "1", "memory": "2Gi"}) == (
        "maximum memory usage per Pod is 1Gi, but limit is 2Gi"
    )
    assert refused(limits={"cpu": "3", "memory": "2Gi"}).startswith("[maximum cpu")
    assert place.pod("a", limits={"cpu": "1", **memory}).code == 201
    for size, code in (("500Mi", 403), ("3Gi", 403), ("2Gi", 201)):
        spec = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": size}}}
        answer = place.create("persistentvolumeclaims", {"metadata": {"name": "c"}, "spec": spec})
        assert answer.code == code, answer.raw


@pytest.mark.parametrize(
    "item",
    [
        {"type": "Planet"},
        {"type": "Container", "min": {"cpu": "2"}, "max": {"cpu": "1"}},
        {"type": "Pod", "default": {"cpu": "1"}},
        {"type": "PersistentVolumeClaim"},
        {"type": "Container", "maxLimitRequestRatio": {"cpu": "0.5"}},
    ],
)
def test_bad_limit_range_is_refused(place: Place, item: Any) -> None:
    body = {"metadata": {"name": "l"}, "spec": {"limits": [item]}}
    assert place.create("limitranges", body).code == 422


def test_amount_that_is_none_cannot_be_read(place: Place) -> None:
    limits = [{"type": "Container", "default": {"cpu": "x"}}]
    for plural, spec in (("resourcequotas", {"hard": {"pods": "many"}}), ("limitranges", {"limits": limits})):
        answer = place.create(plural, {"metadata": {"name": "odd"}, "spec": spec})
        assert (answer.code, answer.body["reason"]) == (400, "BadRequest")
