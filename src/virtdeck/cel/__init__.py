"""The Common Expression Language as Kubernetes speaks it. Pure.

From text to a tree (``parser``), from there to a typed one (``checker``), to its worst cost (``estimate``)
and to a program (``programs``) whose running cost is counted and bounded. ``library`` holds functions: the
language's own and Kubernetes' extensions. What expressions are about is their users' business.
"""
