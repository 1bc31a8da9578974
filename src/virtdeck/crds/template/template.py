"""VirtualMachineTemplate: a virtual machine with parameters."""

from typing import Annotated, Any

from msgspec import Meta, field

from virtdeck.crds.meta import ObjectMeta, StandardCondition
from virtdeck.crds.model import Model, doc, keyed_by, one_of

# A character class and a count, as [a-z0-9]{8}; the API server checks it, decoding does not.
_EXPRESSION = Meta(extra_json_schema={"pattern": r"\[([a-zA-Z0-9\-\\]+)\](\{(\w+)\})"})


class Parameter(Model, frozen=True, kw_only=True):
    """A word that is put in place of ${NAME} everywhere in the machine."""

    description: Annotated[str | None, doc("What it is for.")] = None
    display_name: Annotated[str | None, doc("Its name in forms; name when absent.")] = None
    from_: Annotated[
        str | None,
        _EXPRESSION,
        doc("What generate makes the value from, as web-[a-z0-9]{8}; \\w, \\d and \\a are classes too."),
    ] = field(default=None, name="from")
    generate: Annotated[
        str | None,
        one_of("expression"),
        doc("How a value is made when none is given: expression makes random characters by from."),
    ] = None
    name: Annotated[str, doc("Its name; ${NAME} in the machine stands for the value.")]
    required: Annotated[bool | None, doc("Whoever uses the template must give a value.")] = None
    value: Annotated[str | None, doc("The value when none is given; generate is not used beside it.")] = None


class VirtualMachineTemplateSpec(Model, frozen=True, kw_only=True):
    """The machine and its parameters."""

    message: Annotated[str | None, doc("What whoever made a machine from it should read next.")] = None
    parameters: Annotated[
        tuple[Parameter, ...] | None, doc("Words that are put into the machine in place of ${NAME}.")
    ] = None
    virtual_machine: Annotated[
        dict[str, Any],
        doc(
            "A VirtualMachine, with ${NAME} (text) or ${{NAME}} (any value) in place of parameters; a fixed"
            " namespace is left out when it is used."
        ),
    ]


class VirtualMachineTemplateStatus(Model, frozen=True, kw_only=True):
    """Whether the template can be used."""

    conditions: Annotated[
        tuple[StandardCondition, ...] | None, keyed_by("type"), doc("Ready, with its reason.")
    ] = None


class VirtualMachineTemplate(Model, frozen=True, kw_only=True):
    """A virtual machine with parameters, from which others are made."""

    api_version: Annotated[str | None, doc("Group and version of the API.")] = None
    kind: Annotated[str | None, doc("Kind of the object.")] = None
    metadata: Annotated[ObjectMeta, doc("Name, labels, owners.")] = ObjectMeta()
    spec: Annotated[VirtualMachineTemplateSpec, doc("The machine and its parameters.")]
    status: Annotated[VirtualMachineTemplateStatus | None, doc("Whether the template can be used.")] = None
