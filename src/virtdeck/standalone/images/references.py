"""Names of images, as manifests spell them; pure."""

import re

from virtdeck.basis.errors import Invalid

# A path of lower-case parts, maybe after a registry's host, then a tag or a digest.
_PART = r"[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*"
_NAME = re.compile(
    rf"(?P<path>(?:{_PART}:\d+/)?{_PART}(?:/{_PART})*)"
    r"(?::(?P<tag>\w[\w.-]{0,127}))?(?:@(?P<digest>sha256:[0-9a-f]{64}))?",
    re.ASCII,
)
_DEFAULT_REGISTRY = ("docker.io/library/", "docker.io/")
_TRANSPORTS = ("docker://", "oci:", "oci-archive:", "docker-archive:", "dir:")


def canonical(reference: str) -> str:
    """The one spelling under which the store knows the image: a tag is always there, Docker's host never.

    Raises: Invalid.
    """
    text = reference.removeprefix("docker://")
    for prefix in _DEFAULT_REGISTRY:
        text = text.removeprefix(prefix)
    found = _NAME.fullmatch(text) if len(text) <= 255 else None
    if found is None:
        raise Invalid(f"{reference[:300]!r} is not the name of an image, as in registry/team/disk:tag")
    if found["digest"]:
        return f"{found['path']}@{found['digest']}"
    return f"{found['path']}:{found['tag'] or 'latest'}"


def pull_source(reference: str) -> str:
    """What skopeo calls the image: a registry unless the reference names another transport."""
    return reference if reference.startswith(_TRANSPORTS) else f"docker://{reference}"


def name_for(reference: str) -> str:
    """Under which name an image pulled from ``reference`` is kept.

    An archive or layout on disk is kept under its tag when it has one, else under its file's name.
    Raises: Invalid.
    """
    for transport in _TRANSPORTS[1:]:
        if reference.startswith(transport):
            path, _, tag = reference.removeprefix(transport).partition(":")
            if "/" in tag:
                return canonical(tag)
            stem = path.rstrip("/").rpartition("/")[2].partition(".")[0].lower()
            return canonical(f"{stem}:{tag}" if tag else stem)
    return canonical(reference)
