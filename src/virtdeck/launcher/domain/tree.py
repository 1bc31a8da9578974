"""XML text to a plain tree, refusing document types and entities (no expansion bombs, no external files)."""

from msgspec import Struct

from virtdeck.basis.errors import Invalid

MAX_DEPTH = 64


class Node(Struct):
    """One element. text: what stands directly inside, without the space around it."""

    tag: str
    attributes: dict[str, str]
    text: str = ""
    children: list["Node"] = []


def parse_tree(text: str) -> Node:
    """The root element. Raises: Invalid."""
    from xml.parsers import expat  # only who reads XML pays for the parser

    root = Node("", {})
    open_nodes = [root]

    def start(tag: str, attributes: dict[str, str]) -> None:
        if len(open_nodes) > MAX_DEPTH:
            raise Invalid(f"the XML is nested deeper than {MAX_DEPTH}")
        node = Node(tag, attributes)
        open_nodes[-1].children.append(node)
        open_nodes.append(node)

    def end(_: str) -> None:
        open_nodes[-1].text = open_nodes[-1].text.strip()
        open_nodes.pop()

    def characters(data: str) -> None:
        open_nodes[-1].text += data

    def refuse(*_: object) -> None:
        raise Invalid("document types and entities are not taken in XML")

    parser = expat.ParserCreate()
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = characters
    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    try:
        parser.Parse(text, True)
    except expat.ExpatError as fault:
        raise Invalid(f"this is not XML: {fault}") from fault
    return root.children[0]
