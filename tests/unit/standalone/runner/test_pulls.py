"""When an image is taken from the store, pulled, or waited for."""

from collections.abc import Callable
from pathlib import Path

import anyio
import pytest
from tests.unit.standalone.images.test_store import put

from virtdeck.basis.errors import Absent
from virtdeck.crds.core.pod_volumes import ImageVolume
from virtdeck.standalone.images.store import ImageStore
from virtdeck.standalone.runner.pulls import Pulls, Waiting

pytestmark = pytest.mark.anyio


class HandClock:
    """A clock that tests move."""

    seconds = 100.0

    def monotonic(self) -> float:
        return self.seconds

    def now(self) -> None:  # pragma: no cover - not asked
        raise NotImplementedError


def pulls(store: ImageStore, pull: Callable[[str], object], told: list[str]) -> tuple[Pulls, HandClock]:
    clock = HandClock()
    return Pulls(store, pull, told.append, clock), clock  # type: ignore[arg-type]


def never(reference: str) -> object:
    raise AssertionError(f"{reference} was pulled")


@pytest.mark.parametrize("policy", [None, "Always", "IfNotPresent", "Never"])
async def test_a_local_image_is_never_pulled(tmp_path: Path, policy: str | None) -> None:
    store = ImageStore(tmp_path)
    put(store, "virtdeck/demo:latest", "aa")
    found, _ = pulls(store, never, [])
    async with anyio.create_task_group() as tasks:
        answer = found.resolve(ImageVolume(reference="virtdeck/demo:latest", pull_policy=policy), "p", tasks)
    assert isinstance(answer, str)


async def test_never_means_never(tmp_path: Path) -> None:
    found, _ = pulls(ImageStore(tmp_path), never, [])
    async with anyio.create_task_group() as tasks:
        answer = found.resolve(ImageVolume(reference="a/b:1", pull_policy="Never"), "p", tasks)
    assert isinstance(answer, Waiting)
    assert answer.reason == "ErrImageNeverPull"


async def test_a_missing_image_is_pulled_once_for_all_who_wait(tmp_path: Path) -> None:
    store, told, calls = ImageStore(tmp_path), list[str](), list[str]()

    def pull(reference: str) -> None:
        calls.append(reference)
        put(store, reference, "aa")

    found, _ = pulls(store, pull, told)
    volume = ImageVolume(reference="registry.example.com/a/b:1")
    async with anyio.create_task_group() as tasks:
        for pod in ("p1", "p2"):
            answer = found.resolve(volume, pod, tasks)
            assert isinstance(answer, Waiting)
            assert answer.reason == "ContainerCreating"
    assert (calls, sorted(told)) == (["registry.example.com/a/b:1"], ["p1", "p2"])
    async with anyio.create_task_group() as tasks:
        assert isinstance(found.resolve(volume, "p1", tasks), str)


async def test_a_failed_pull_is_explained_and_tried_again_later(tmp_path: Path) -> None:
    calls: list[str] = []

    def pull(reference: str) -> None:
        calls.append(reference)
        raise Absent(f"{reference} does not exist")

    found, clock = pulls(ImageStore(tmp_path), pull, [])
    volume = ImageVolume(reference="a/b:1")
    waits = []
    for moment in (100.0, 101.0, 111.0, 112.0):
        clock.seconds = moment
        async with anyio.create_task_group() as tasks:
            answer = found.resolve(volume, "p", tasks)
        assert isinstance(answer, Waiting)
        waits.append(answer)
    reasons = [wait.reason for wait in waits]
    assert reasons == ["ContainerCreating", "ErrImagePull", "ImagePullBackOff", "ImagePullBackOff"]
    assert len(calls) == 2
    assert "virtdeck image ls" in waits[-1].message


async def test_a_pod_that_waits_for_the_next_try_soon_sees_an_image_imported_by_hand(tmp_path: Path) -> None:
    def pull(reference: str) -> None:
        raise Absent(f"{reference} does not exist")

    store = ImageStore(tmp_path)
    found, _ = pulls(store, pull, [])
    volume = ImageVolume(reference="a/b:1")
    async with anyio.create_task_group() as tasks:
        found.resolve(volume, "p", tasks)
    async with anyio.create_task_group() as tasks:
        waiting = found.resolve(volume, "p", tasks)
        assert isinstance(waiting, Waiting)
        assert waiting.again_after is not None
        assert waiting.again_after <= 2
        assert "virtdeck image import FILE a/b:1" in waiting.message
        put(store, "a/b:1", "aa")
        assert isinstance(found.resolve(volume, "p", tasks), str)


async def test_what_is_no_name_of_an_image_is_told_as_a_kubelet_does(tmp_path: Path) -> None:
    found, _ = pulls(ImageStore(tmp_path), never, [])
    async with anyio.create_task_group() as tasks:
        answer = found.resolve(ImageVolume(reference="no image!"), "p", tasks)
    assert isinstance(answer, Waiting)
    assert (answer.reason, answer.again_after) == ("InvalidImageName", None)
