"""Scalars that JSON alone cannot name; their schemas are Kubernetes' own."""

from typing import Annotated

from msgspec import Meta

Int32 = Annotated[int, Meta(extra_json_schema={"format": "int32"})]

Count = Annotated[int, Meta(ge=0)]

Time = Annotated[str, Meta(extra_json_schema={"format": "date-time"})]
"""RFC 3339, seconds, UTC: ``2026-01-31T12:00:00Z``."""

# Go's clients write null where they have no time.
NullableTime = Annotated[str, Meta(extra_json_schema={"format": "date-time", "nullable": True})]

Duration = str
"""As Go writes it: ``1h30m``, ``45s``."""

# The JSON number is kept as it came, so that 0.5 stays 0.5 and 1e3 is refused where it is read.
Quantity = Annotated[str | int | float, Meta(extra_json_schema={"x-kubernetes-int-or-string": True})]

IntOrString = Annotated[int | str, Meta(extra_json_schema={"x-kubernetes-int-or-string": True})]
