"""The kind of ``pool.kubevirt.io``: a number of virtual machines made from one template.

What a machine of the pool is stands in ``kubevirt.vm``.
"""
