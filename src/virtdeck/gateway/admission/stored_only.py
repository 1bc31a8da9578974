"""Kinds that are stored although nothing acts on them yet: said to whoever makes one.

An entry goes when the kind gets its controller. Names are those of the kinds' CRDs.
"""

_WHAT = {
    "virtualmachineinstancemigrations.kubevirt.io": "no guest moves",
    "migrationpolicies.migrations.kubevirt.io": "no migration follows it",
    "virtualmachinesnapshots.snapshot.kubevirt.io": "nothing is saved",
    "virtualmachinesnapshotcontents.snapshot.kubevirt.io": "nothing is saved",
    "virtualmachinerestores.snapshot.kubevirt.io": "nothing is restored",
    "virtualmachineclones.clone.kubevirt.io": "nothing is copied",
    "virtualmachineexports.export.kubevirt.io": "nothing is handed out",
    "virtualmachinebackups.backup.kubevirt.io": "nothing is backed up",
    "virtualmachinebackuptrackers.backup.kubevirt.io": "no backup follows it",
    "virtualmachinetemplates.template.kubevirt.io": "no machine is made of it",
    "virtualmachinetemplaterequests.template.kubevirt.io": "no template is made",
    "plugins.plugin.kubevirt.io": "no machine is changed by it",
}

KINDS = frozenset(_WHAT)


def stored_only(kind: str) -> str:
    """The warning that an object of this kind is stored and no more; empty for kinds that are acted on."""
    what = _WHAT.get(kind)
    return f"the object is stored, but this release does not act on it yet: {what}" if what else ""
