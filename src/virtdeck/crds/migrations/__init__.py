"""The kind of ``migrations.kubevirt.io``: settings for the migrations of chosen guests.

A single migration is ``kubevirt.migration``, the settings of the whole cluster are in
``kubevirt.configuration``.
"""
