"""The files of a pod's volumes that Kubernetes objects fill, read from the API server."""

from base64 import b64decode
from collections.abc import Mapping

import msgspec

from virtdeck.basis.errors import Absent, Invalid
from virtdeck.crds import kinds
from virtdeck.crds.core.pod import Pod
from virtdeck.crds.core.pod_volumes import (
    ConfigMapProjection,
    DownwardAPIProjection,
    PodVolume,
    SecretProjection,
    ServiceAccountTokenProjection,
    VolumeProjection,
)
from virtdeck.kube.client import Client
from virtdeck.kube.errors import error_from_reply
from virtdeck.standalone.runner.downward import downward_text

_TOKEN_SECONDS = 3600  # Kubernetes' default


async def read_files(client: Client, pod: Pod, volume: PodVolume) -> dict[str, bytes] | None:
    """Content by path below the volume; None for a volume that is filled otherwise.

    Raises: Absent with a sentence for what is not there yet, Invalid.
    """
    sources = projections(volume)
    if sources is None:
        return None
    files: dict[str, bytes] = {}
    for source in sources:
        files |= await _read(client, pod, volume.name, source)
    return files


def projections(volume: PodVolume) -> tuple[VolumeProjection, ...] | None:
    """The volume's sources as a projected volume has them."""
    if secret := volume.secret:
        made = SecretProjection(name=secret.secret_name, items=secret.items, optional=secret.optional)
        return (VolumeProjection(secret=made),)
    if config := volume.config_map:
        found = ConfigMapProjection(name=config.name, items=config.items, optional=config.optional)
        return (VolumeProjection(config_map=found),)
    if fields := volume.downward_api:
        return (VolumeProjection(downward_api=DownwardAPIProjection(items=fields.items)),)
    return (volume.projected.sources or ()) if volume.projected else None


def pick(
    volume: str, source: SecretProjection | ConfigMapProjection, entries: Mapping[str, bytes]
) -> dict[str, bytes]:
    """The entries under the paths that were asked for, all of them when none were. Raises: Invalid."""
    if source.items is None:
        return dict(entries)
    missing = [item.key for item in source.items if item.key not in entries]
    if missing and not source.optional:
        raise Invalid(f"the volume {volume} wants the key {missing[0]}, which is not there")
    return {item.path: entries[item.key] for item in source.items if item.key in entries}


async def _read(client: Client, pod: Pod, volume: str, source: VolumeProjection) -> dict[str, bytes]:
    if source.downward_api:
        items = source.downward_api.items or ()
        return {item.path: downward_text(pod, item).encode() for item in items}
    if source.service_account_token:
        return await _token(client, pod, volume, source.service_account_token)
    entries_of = source.secret or source.config_map
    if entries_of is None:
        raise Invalid(f"a source of the volume {volume} is of a kind that is not supported")
    try:
        entries = await _entries(client, pod.metadata.namespace or "", entries_of)
    except Absent as fault:
        if entries_of.optional:
            return {}
        kind = "secret" if source.secret else "config map"
        raise _missing(kind, entries_of.name, volume) from fault
    return pick(volume, entries_of, entries)


async def _entries(
    client: Client, namespace: str, source: SecretProjection | ConfigMapProjection
) -> dict[str, bytes]:
    if isinstance(source, SecretProjection):
        secret = await client.require(kinds.SECRET, source.name or "", namespace)
        return {key: b64decode(text) for key, text in (secret.data or {}).items()}
    found = await client.require(kinds.CONFIG_MAP, source.name or "", namespace)
    texts = {key: text.encode() for key, text in (found.data or {}).items()}
    return texts | {key: b64decode(text) for key, text in (found.binary_data or {}).items()}


async def _token(
    client: Client, pod: Pod, volume: str, source: ServiceAccountTokenProjection
) -> dict[str, bytes]:
    """A token that ends with the pod."""
    meta, name = pod.metadata, pod.spec.service_account_name or "default"
    request = {
        "apiVersion": "authentication.k8s.io/v1",
        "kind": "TokenRequest",
        "spec": {
            "audiences": [source.audience] if source.audience else [],
            "expirationSeconds": source.expiration_seconds or _TOKEN_SECONDS,
            "boundObjectRef": {"apiVersion": "v1", "kind": "Pod", "name": meta.name, "uid": meta.uid},
        },
    }
    path = f"/api/v1/namespaces/{meta.namespace}/serviceaccounts/{name}/token"
    answer = await client.request("POST", path, body=request)
    fault = error_from_reply(answer.status, answer.body) if answer.status >= 400 else None
    if isinstance(fault, Absent):
        raise _missing("service account", name, volume) from fault
    if fault:
        raise fault
    token: str = msgspec.json.decode(answer.body)["status"]["token"]
    return {source.path: token.encode()}


def _missing(kind: str, name: str | None, volume: str) -> Absent:
    return Absent(
        f'the {kind} "{name}" does not exist in this namespace; the volume {volume} waits until it is created'
    )
