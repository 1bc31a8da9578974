"""Secrets, config maps and service accounts."""

from virtdeck.crds.core.meta_only import Plain


class Secret(Plain, frozen=True, kw_only=True):
    """Bytes that only their readers may see. data: Base64."""

    type: str | None = None
    data: dict[str, str] | None = None
    string_data: dict[str, str] | None = None
    immutable: bool | None = None


class ConfigMap(Plain, frozen=True, kw_only=True):
    """Texts by name. binary_data: Base64."""

    data: dict[str, str] | None = None
    binary_data: dict[str, str] | None = None
    immutable: bool | None = None


class ServiceAccount(Plain, frozen=True, kw_only=True):
    """An identity of a program."""

    automount_service_account_token: bool | None = None
