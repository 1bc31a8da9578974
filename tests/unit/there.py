"""What a test knows to be there."""

from typing import TypeVar

T = TypeVar("T")


def there(value: T | None) -> T:
    """The value; a test that gets none fails here."""
    assert value is not None
    return value
