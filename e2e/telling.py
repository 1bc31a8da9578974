"""What objects say of themselves."""

from typing import Any

from e2e.product import Product, until


def told(product: Product, kind: str, name: str, type_: str) -> dict[str, Any]:
    """The condition of this type, once it says False or why something failed."""

    def read() -> dict[str, Any]:
        found = product.get(kind, name) or {}
        conditions = found.get("status", {}).get("conditions", [])
        return next((c for c in conditions if c["type"] == type_ and c.get("message")), {})

    found: dict[str, Any] = until(read, bool, 15)
    return found


def shown(product: Product, name: str, word: str) -> None:
    until(lambda: product.get("vm", name), lambda vm: vm.get("status", {}).get("printableStatus") == word, 30)
