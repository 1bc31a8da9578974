"""A claim that a pod uses stays until the pod is gone."""

from tests.contract.apiserver.running import Api

CLAIM = {
    "metadata": {"name": "c"},
    "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}},
}


def test_claim_in_use_waits_for_its_pod(api: Api, namespace: str) -> None:
    root = f"/api/v1/namespaces/{namespace}"
    made = api.made(f"{root}/persistentvolumeclaims", CLAIM)
    assert made["metadata"]["finalizers"] == ["kubernetes.io/pvc-protection"]
    volume = {"name": "v", "persistentVolumeClaim": {"claimName": "c"}}
    spec = {"containers": [{"name": "c", "image": "i"}], "volumes": [volume]}
    api.made(f"{root}/pods", {"metadata": {"name": "p"}, "spec": spec})
    going = api.delete(f"{root}/persistentvolumeclaims/c").body
    assert "deletionTimestamp" in going["metadata"]
    assert api.get(f"{root}/persistentvolumeclaims/c").code == 200
    api.delete(f"{root}/pods/p")
    api.eventually(f"{root}/persistentvolumeclaims/c", 404)


def test_claim_and_volume_that_nobody_uses_go(api: Api, namespace: str) -> None:
    root = f"/api/v1/namespaces/{namespace}"
    api.made(f"{root}/persistentvolumeclaims", CLAIM)
    volume = {"accessModes": ["ReadWriteOnce"], "capacity": {"storage": "1Gi"}, "hostPath": {"path": "/x"}}
    api.made("/api/v1/persistentvolumes", {"metadata": {"name": namespace}, "spec": volume})
    for path in (f"{root}/persistentvolumeclaims/c", f"/api/v1/persistentvolumes/{namespace}"):
        api.delete(path)
        api.eventually(path, 404)


def test_volume_that_is_bound_stays(api: Api, namespace: str) -> None:
    volume = {"accessModes": ["ReadWriteOnce"], "capacity": {"storage": "1Gi"}, "hostPath": {"path": "/x"}}
    path = f"/api/v1/persistentvolumes/{namespace}"
    api.made("/api/v1/persistentvolumes", {"metadata": {"name": namespace}, "spec": volume})
    api.patch(f"{path}/status", {"status": {"phase": "Bound"}})
    api.delete(path)
    assert api.get(path).code == 200
    api.patch(f"{path}/status", {"status": {"phase": "Released"}})
    api.eventually(path, 404)
