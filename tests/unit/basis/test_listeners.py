"""Listeners hear what happens within their block."""

from virtdeck.basis.listeners import Listeners


def test_who_listens_is_told_in_order_and_only_within_its_block() -> None:
    listeners: Listeners[int] = Listeners()
    heard: list[tuple[str, int]] = []
    with listeners.listening(lambda news: heard.append(("a", news))):
        with listeners.listening(lambda news: heard.append(("b", news))):
            listeners.tell(1)
        listeners.tell(2)
    listeners.tell(3)
    assert heard == [("a", 1), ("b", 1), ("a", 2)]


def test_one_function_may_listen_twice() -> None:
    listeners: Listeners[int] = Listeners()
    heard: list[int] = []
    with listeners.listening(heard.append), listeners.listening(heard.append):
        listeners.tell(1)
    assert heard == [1, 1]
