"""The PUT routes: what is done to a running guest."""

import re
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Any

from virtdeck.basis.errors import Cause, Conflict, Invalid
from virtdeck.crds import reasons
from virtdeck.kube.objects import Key
from virtdeck.kube.plans import EventNote
from virtdeck.node_agent.api.answers import Answer
from virtdeck.node_agent.api.context import Api
from virtdeck.wire import launcher as wire

_ACT_SECONDS = 15.0
_FREEZE_SECONDS = 30.0  # the guest's agent flushes its file systems first
MAX_CHORDS = 4096
_MAX_KEYS = 16
_MAX_HOLD_MILLISECONDS = 5000
_MAX_KEY_CODE = 0x2FF  # Source: KEY_MAX in linux/input-event-codes.h
_MAX_FREEZE_SECONDS = 600.0  # the launcher thaws after that in any case

_DURATION = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h)")
_UNIT_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}

Act = Callable[[Api, Key, Any], Awaitable[Answer]]
Plain = type[wire.Pause | wire.Unpause | wire.SoftReboot | wire.Reset | wire.Unfreeze]


async def pause(api: Api, key: Key, _body: Any) -> Answer:
    """The guest's processors stand still. Raises: Conflict when they do already."""
    if api.require_guest(key).state.phase == "Paused":
        raise Conflict(f"{key} is already paused")
    return await _ask(api, key, wire.Pause)


async def unpause(api: Api, key: Key, _body: Any) -> Answer:
    """The guest runs on. Raises: Conflict when it is not paused."""
    if api.require_guest(key).state.phase != "Paused":
        raise Conflict(f"{key} is not paused")
    return await _ask(api, key, wire.Unpause)


async def softreboot(api: Api, key: Key, _body: Any) -> Answer:
    """The guest was asked to reboot."""
    if api.require_guest(key).state.phase == "Paused":
        raise Conflict(f"{key} is paused")
    answer = await _ask(api, key, wire.SoftReboot)
    api.tell(key, EventNote("Normal", reasons.SOFT_REBOOTED, "The guest was asked to reboot."))
    return answer


async def reset(api: Api, key: Key, _body: Any) -> Answer:
    """The guest's machine was reset."""
    answer = await _ask(api, key, wire.Reset)
    api.tell(key, EventNote("Normal", reasons.RESET, "The guest's machine was reset."))
    return answer


async def freeze(api: Api, key: Key, body: Any) -> Answer:
    """The guest's file systems are frozen, and thaw by themselves after ``unfreezeTimeout``."""
    text = body.get("unfreezeTimeout") if isinstance(body, dict) else None
    seconds = parse_duration(text)
    guest = api.require_guest(key)
    request = wire.Freeze(id=guest.conversation.next_id(), unfreeze_after_seconds=seconds)
    await guest.conversation.ask(request, wire.Done, _FREEZE_SECONDS)
    _remember_frozen(api, key, api.clock.now() + timedelta(seconds=seconds))
    return Answer()


async def unfreeze(api: Api, key: Key, _body: Any) -> Answer:
    """The guest's file systems are thawed."""
    answer = await _ask(api, key, wire.Unfreeze)
    _remember_frozen(api, key, api.clock.now())
    return answer


async def sendkeys(api: Api, key: Key, body: Any) -> Answer:
    """Each chord was pressed and released, one after the other."""
    chords, hold = parse_chords(body)
    guest = api.require_guest(key)
    request = wire.SendKeys(id=guest.conversation.next_id(), chords=chords, hold_milliseconds=hold)
    seconds = _ACT_SECONDS + len(chords) * (hold + 20) / 1000
    await guest.conversation.ask(request, wire.Done, seconds)
    return Answer()


ACTS: dict[str, Act] = {
    "pause": pause,
    "unpause": unpause,
    "softreboot": softreboot,
    "reset": reset,
    "freeze": freeze,
    "unfreeze": unfreeze,
    "sendkeys": sendkeys,
}


def parse_duration(text: object) -> float:
    """Seconds of a duration as Go writes it (``5m``, ``1h30m``), or a number. Raises: Invalid."""
    if isinstance(text, int | float) and not isinstance(text, bool):
        seconds = float(text)
    elif isinstance(text, str) and text and not _DURATION.sub("", text):
        seconds = sum(float(number) * _UNIT_SECONDS[unit] for number, unit in _DURATION.findall(text))
    else:
        raise _invalid("unfreezeTimeout", "a duration such as 5m is required")
    if not 0 <= seconds <= _MAX_FREEZE_SECONDS:
        raise _invalid("unfreezeTimeout", "must be at most ten minutes")
    return seconds


def parse_chords(body: object) -> tuple[tuple[tuple[int, ...], ...], int]:
    """The chords and how long each is held, in milliseconds. Raises: Invalid."""
    if not isinstance(body, dict) or not isinstance(body.get("chords"), list):
        raise _invalid("chords", "a list of chords is required")
    chords, hold = body["chords"], body.get("holdMilliseconds", 20)
    if len(chords) > MAX_CHORDS:
        raise _invalid("chords", f"at most {MAX_CHORDS} chords are taken at once")
    if not all(_is_chord(chord) for chord in chords):
        raise _invalid("chords", f"each is a list of 1 to {_MAX_KEYS} Linux key codes")
    if not isinstance(hold, int) or not 0 < hold <= _MAX_HOLD_MILLISECONDS:
        raise _invalid("holdMilliseconds", f"must be 1 to {_MAX_HOLD_MILLISECONDS}")
    return tuple(tuple(chord) for chord in chords), hold


def _is_chord(chord: object) -> bool:
    return (
        isinstance(chord, list)
        and 0 < len(chord) <= _MAX_KEYS
        and all(type(code) is int and 0 < code <= _MAX_KEY_CODE for code in chord)
    )


async def _ask(api: Api, key: Key, kind: Plain) -> Answer:
    guest = api.require_guest(key)
    await guest.conversation.ask(kind(id=guest.conversation.next_id()), wire.Done, _ACT_SECONDS)
    return Answer()


def _remember_frozen(api: Api, key: Key, until: datetime) -> None:
    api.memory.of(api.require_vmi(key).metadata.uid).frozen_until = until
    api.wake(key)


def _invalid(field: str, message: str) -> Invalid:
    return Invalid(f"{field}: {message}", reason="BadRequest", causes=(Cause(field, message),))
