"""Columns that several kinds show."""

from virtdeck.crds.kinds.kind import Column

AGE = Column("Age", ".metadata.creationTimestamp", "date", "Time since the object was made")


def condition(name: str, type: str, description: str, priority: int = 0) -> Column:
    """A column with the answer (True, False, Unknown) of a condition."""
    path = f".status.conditions[?(@.type=='{type}')].status"
    return Column(name, path, description=description, priority=priority)


def ready(description: str) -> Column:
    """The condition Ready."""
    return condition("Ready", "Ready", description)


def replicas(what: str) -> tuple[Column, ...]:
    """How many of something there should be, are, and serve."""
    return (
        Column("Desired", ".spec.replicas", "integer", f"How many {what} there should be"),
        Column("Current", ".status.replicas", "integer", f"How many {what} there are"),
        Column("Ready", ".status.readyReplicas", "integer", f"How many {what} serve"),
    )
