"""Pools: a number of virtual machines from one template, each with a name and an index of its own.

``decide`` asks, in this order: does one fail for good (``healing``), is the number right (``scaling``), do
all show the newest template (``updating``), which revisions may go (``revision``). ``render`` makes the
machine of an index, ``choosing`` says which machines come first, ``status`` is what the pool tells of them.
"""
