"""The options of a write (metav1.CreateOptions and its like) as the query gives them: refused by field."""

from virtdeck.basis.errors import Cause
from virtdeck.crds.quoting import quoted
from virtdeck.standalone.apiserver.problems import invalid
from virtdeck.standalone.apiserver.requests.call import STRICTNESS, Call

_MOST_MANAGER_BYTES = 128
_KINDS = {"create": "CreateOptions", "update": "UpdateOptions", "patch": "PatchOptions"}


def check_options(call: Call, *, applies: bool = False) -> None:
    """Returns when every option may be as it is. Raises: StatusError 422."""
    causes = [*_of_patch(call, applies), *_of_manager(call), *_of_dry_run(call), *_of_strictness(call)]
    if causes:
        raise invalid(kind_of_options(call), "meta.k8s.io", "", causes)


def kind_of_options(call: Call) -> str:
    """CreateOptions and its like."""
    return _KINDS.get(call.target.verb, "DeleteOptions")


def _of_patch(call: Call, applies: bool) -> list[Cause]:
    if applies and not call.parameter("fieldManager"):
        text = "Required value: is required for apply patch"
        return [Cause("fieldManager", text, "FieldValueRequired")]
    if call.target.verb == "patch" and not applies and "force" in call.query:
        text = "Forbidden: may not be specified for non-apply patch"
        return [Cause("force", text, "FieldValueForbidden")]
    return []


def _of_manager(call: Call) -> list[Cause]:
    name = call.parameter("fieldManager")
    causes = []
    if len(name.encode()) > _MOST_MANAGER_BYTES:
        text = f"Too long: may not be more than {_MOST_MANAGER_BYTES} bytes"
        causes.append(Cause("fieldManager", text, "FieldValueTooLong"))
    causes += [
        Cause(
            "fieldManager",
            f"Invalid value: {quoted(name)}: invalid character U+{ord(sign):04X} (at position {at})",
        )
        for at, sign in enumerate(name)
        if not sign.isprintable()
    ]
    return causes


def _of_dry_run(call: Call) -> list[Cause]:
    values = call.query.get("dryRun", [])
    if all(value == "All" for value in values):
        return []
    shown = ", ".join(quoted(value) for value in values)
    text = f'Unsupported value: []string{{{shown}}}: supported values: "All"'
    return [Cause("dryRun", text, "FieldValueNotSupported")]


def _of_strictness(call: Call) -> list[Cause]:
    asked = call.parameter("fieldValidation")
    if asked in ("", *STRICTNESS):
        return []
    text = f'Unsupported value: "{asked}": supported values: "", "Ignore", "Strict", "Warn"'
    return [Cause("fieldValidation", text, "FieldValueNotSupported")]
