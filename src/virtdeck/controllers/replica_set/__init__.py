"""Replica sets: a number of VMIs from one template that are all alike and keep nothing.

``decide`` asks whose VMIs they are (adopt, release), how many live, and which go or come; ``render`` makes
one, ``status`` is what the set tells of them.
"""
