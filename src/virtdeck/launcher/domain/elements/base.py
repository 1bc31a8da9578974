"""How an element's fields say what they become in XML."""

from typing import Annotated

from msgspec import Meta, Struct


class Element(Struct, frozen=True, kw_only=True, rename="camel"):
    """Root of all elements. The tag is given by the field that holds the element.

    A field is an attribute, unless its type says otherwise: an Element (or a tuple of them) is a child, Leaf
    is a child with nothing but text, Text is the element's own text. None is left out.
    """


class Empty(Element, frozen=True, kw_only=True):
    """An element that says all by being there."""


Leaf = Annotated[str, Meta(extra={"xml": "leaf"})]
Text = Annotated[str, Meta(extra={"xml": "text"})]
