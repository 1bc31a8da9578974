"""What anybody who may read the object can read: let through, and told. The words are never quoted."""

import re
from collections.abc import Iterator

from virtdeck.gateway.admission.rule import WARNING, Place, Rules, at
from virtdeck.gateway.admission.rules.cloud_init import decoded, sources
from virtdeck.gateway.admission.subject import Subject

WARNINGS: Rules[Subject] = Rules("VMI")

_FIRST = 4096  # more than a rule lets through
_SECRET = re.compile(r"^\s*-?\s*(?:plain_text_)?passw(?:or)?d\s*:\s*\S|PRIVATE KEY-----|\bchpasswd\b", re.M)
_SAYS = (
    "has a password or key in it that everybody reads who may read this object; "
    "put it into a Secret and name that in secretRef"
)


@WARNINGS.rule(
    "", "spec.volumes[].{cloudInitNoCloud|cloudInitConfigDrive}.{userData|userDataBase64}", WARNING, _SAYS
)
def passwords_belong_into_secrets(vmi: Subject) -> Iterator[Place]:
    """It holds what looks like a password or a private key."""
    for index, name, source in sources(vmi):
        if _SECRET.search((source.user_data or "")[:_FIRST]):
            yield at(index, name, "userData")
        if source.user_data_base64 and _SECRET.search(_text(source.user_data_base64)):
            yield at(index, name, "userDataBase64")


def _text(encoded: str) -> str:
    found = decoded(encoded[:_FIRST])
    return (found or b"").decode("utf-8", "replace")
