"""From a VMI and the facts of its node to libvirt's domain XML; pure.

``elements`` says what libvirt's XML looks like, ``codec`` writes and reads it, the modules beside hold the
policy: each is functions of one area from a ``Request`` to elements, put together once in ``build``.
What a VMI asks for and this node cannot carry is refused in ``refusals``, all of it at once.
"""
