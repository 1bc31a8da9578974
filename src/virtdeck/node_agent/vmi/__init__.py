"""A VMI of this node: what is seen of it, what follows from that, and how it is carried out.

``seen`` is what is observed, ``decide``, ``ending``, ``status`` and their like are pure, ``reconciler`` has
the hands. A guest is dead only on positive evidence; silence means to keep asking.
"""
