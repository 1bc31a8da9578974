"""What the guest's agent says: asked for, cut to bounds, told apart from what is known.

``answers`` is pure and treats each answer as hostile (S-05, S-15, S-22, S-23); ``agent`` asks.
"""
