"""Examples for ``rules.architecture`` and ``rules.clock``."""

from tests.unit.gateway.admission.build import devices, root_disk
from tests.unit.gateway.admission.examples.example import Example, subject

_ARM, _S390X = {"architecture": "arm64"}, {"architecture": "s390x"}


def _timer(**timers: object) -> dict[str, object]:
    return {"domain": {"clock": {"timer": timers}}}


def _hyperv(**features: object) -> dict[str, object]:
    return {"domain": {"features": {"hyperv": features}}}


EXAMPLES: dict[str, Example] = {
    "V83": Example(subject(devices(video={"type": "qxl"})), subject(devices(video={"type": "bochs"}))),
    "V84": Example(
        subject(devices(watchdog={"name": "w", "diag288": {}})),
        subject(devices(watchdog={"name": "w", "i6300esb": {}})),
    ),
    "V85": Example(
        subject(_ARM, devices(video={"type": "vga"})), subject(_ARM, devices(video={"type": "ramfb"}))
    ),
    "V86": Example(
        subject(_ARM, {"domain": {"firmware": {"bootloader": {"bios": {}}}}}),
        subject({"domain": {"firmware": {"bootloader": {"bios": {}}}}}),
    ),
    "V87": Example(
        subject(_ARM, {"domain": {"cpu": {"model": "cortex-a57"}}}),
        subject(_ARM, {"domain": {"cpu": {"model": "host-passthrough"}}}),
    ),
    "V88": Example(
        subject(_ARM, root_disk(disk={"bus": "sata"})), subject(_ARM, root_disk(disk={"bus": "scsi"}))
    ),
    "V89": Example(
        subject(_ARM, root_disk(disk=None, cdrom={"bus": "sata"})),
        subject(_ARM, root_disk(disk=None, cdrom={"bus": "scsi"})),
    ),
    "V90": Example(
        subject(
            _ARM,
            root_disk(disk=None, lun={"bus": "sata"}),
            {"volumes": [{"name": "root", "persistentVolumeClaim": {"claimName": "c"}}]},
        ),
        subject(
            _ARM,
            root_disk(disk=None, lun={"bus": "scsi"}),
            {"volumes": [{"name": "root", "persistentVolumeClaim": {"claimName": "c"}}]},
        ),
    ),
    "V91": Example(
        subject(_ARM, devices(watchdog={"name": "w", "i6300esb": {}})),
        subject(devices(watchdog={"name": "w", "i6300esb": {}})),
    ),
    "V92": Example(
        subject(_ARM, devices(sound={"name": "a", "model": "ich9"})),
        subject(devices(sound={"name": "a", "model": "ich9"})),
    ),
    "V93": Example(
        subject(_S390X, devices(video={"type": "vga"})), subject(_S390X, devices(video={"type": "virtio"}))
    ),
    "V94": Example(
        subject(_S390X, devices(watchdog={"name": "w", "i6300esb": {}})),
        subject(_S390X, devices(watchdog={"name": "w", "diag288": {}})),
    ),
    "watchdog_action_is_known": Example(
        subject(devices(watchdog={"name": "w", "i6300esb": {"action": "explode"}})),
        subject(devices(watchdog={"name": "w", "i6300esb": {"action": "poweroff"}})),
    ),
    "clock_runs_on_one_time": Example(
        subject({"domain": {"clock": {"utc": {}, "timezone": "Europe/Berlin"}}}),
        subject({"domain": {"clock": {"timezone": "Europe/Berlin"}}}),
    ),
    "zone_is_a_name": Example(
        subject({"domain": {"clock": {"timezone": "../../etc/passwd"}}}),
        subject({"domain": {"clock": {"timezone": "America/Argentina/Ushuaia"}}}),
    ),
    "tick_policy_is_known": Example(
        subject(_timer(pit={"tickPolicy": "hurry"})), subject(_timer(pit={"tickPolicy": "delay"}))
    ),
    "track_is_known": Example(subject(_timer(rtc={"track": "sun"})), subject(_timer(rtc={"track": "wall"}))),
    "identity_is_a_uuid": Example(
        subject({"domain": {"firmware": {"uuid": "mine"}}}),
        subject({"domain": {"firmware": {"uuid": "5d307ca9-b3ef-428c-8861-06e72d69f223"}}}),
    ),
    "model_is_a_word": Example(
        subject({"domain": {"cpu": {"model": "Skylake Client"}}}),
        subject({"domain": {"cpu": {"model": "Skylake-Client"}}}),
    ),
    "features_are_words": Example(
        subject({"domain": {"cpu": {"features": [{"name": "a'b"}]}}}),
        subject({"domain": {"cpu": {"features": [{"name": "sse4.2"}]}}}),
    ),
    "spinlocks_are_many": Example(
        subject(_hyperv(spinlocks={"spinlocks": 4095})), subject(_hyperv(spinlocks={"spinlocks": 4096}))
    ),
    "vendor_is_short": Example(
        subject(_hyperv(vendorid={"vendorid": "A" * 13})), subject(_hyperv(vendorid={"vendorid": "A" * 12}))
    ),
}
