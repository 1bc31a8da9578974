"""From reviews to the objects that rules read, and from verdicts to outcomes."""

from virtdeck.basis.errors import Invalid
from virtdeck.gateway.admission.verdict import Verdict
from virtdeck.gateway.webhooks.review import Outcome, Plain, Review


def object_of(review: Review) -> Plain:
    """The object that is to be stored. Raises: Invalid when the review has none."""
    if review.obj is None:
        raise Invalid("the AdmissionReview has no object")
    return review.obj


def outcome_of(verdict: Verdict) -> Outcome:
    """The answer to the API server."""
    return Outcome(verdict.causes, verdict.warnings, verdict.forbidden)
