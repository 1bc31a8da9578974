"""Which news outdates which."""

from virtdeck.crds.core.config import ConfigMap
from virtdeck.crds.meta import ObjectMeta
from virtdeck.kube.objects import Key
from virtdeck.kube.snapshot import Change, Snapshot


def obj(name: str, version: int, color: str = "red") -> ConfigMap:
    meta = ObjectMeta(name=name, namespace="ns", uid=f"u-{name}", resource_version=str(version))
    return ConfigMap(metadata=meta, data={"color": color})


def snapshot() -> Snapshot[ConfigMap]:
    return Snapshot({"color": lambda found: [(found.data or {})["color"]]})


KEY = Key("ns", "a")


def test_a_list_tells_what_came_changed_and_went() -> None:
    known = snapshot()
    known.relist([obj("a", 1), obj("b", 2), obj("c", 3)], "3")
    changes = known.relist([obj("a", 1), obj("b", 5), obj("d", 6)], "6")
    assert {(c.key.name, c.old is None, c.new is None) for c in changes} == {
        ("b", False, False),
        ("d", True, False),
        ("c", False, True),
    }


def test_an_own_write_shows_at_once_and_its_echo_changes_nothing() -> None:
    known = snapshot()
    known.relist([obj("a", 1)], "1")
    change = known.absorb(obj("a", 5, "blue"))
    assert change is not None
    assert known.store.find("color", "blue") == [obj("a", 5, "blue")]
    assert known.show(obj("a", 3), "3") is None
    assert known.show(obj("a", 5, "blue"), "5") is None
    assert known.store.get(KEY) == obj("a", 5, "blue")


def test_an_own_write_that_the_watch_overtook_is_ignored() -> None:
    known = snapshot()
    known.relist([], "1")
    known.show(obj("a", 5), "5")
    known.remove(obj("a", 6), "6")
    assert known.absorb(obj("a", 5)) is None
    assert known.store.get(KEY) is None


def test_a_delete_of_something_older_than_what_is_known_is_ignored() -> None:
    known = snapshot()
    known.relist([], "1")
    known.absorb(obj("a", 9))
    assert known.remove(obj("a", 4), "4") is None
    assert known.remove(obj("a", 10), "10") == Change(KEY, obj("a", 9), None)


def test_an_own_write_newer_than_a_list_survives_it() -> None:
    known = snapshot()
    known.relist([], "1")
    known.absorb(obj("a", 9))
    assert known.relist([], "5") == []
    assert known.store.get(KEY) == obj("a", 9)
    assert [c.new for c in known.relist([], "9")] == [None]


def test_a_store_that_went_back_in_time_replaces_all() -> None:
    known = snapshot()
    known.relist([obj("a", 90), obj("b", 91)], "91")
    changes = known.relist([obj("a", 10, "green")], "12")
    assert {c.key.name for c in changes} == {"a", "b"}
    assert known.store.get(KEY) == obj("a", 10, "green")
    assert known.show(obj("a", 13), "13") is not None


def test_an_index_follows_its_objects() -> None:
    known = snapshot()
    known.show(obj("a", 1, "red"), "1")
    known.show(obj("a", 2, "blue"), "2")
    assert known.store.find("color", "red") == []
    known.remove(obj("a", 3), "3")
    assert known.store.find("color", "blue") == []
