"""The kind of ``plugin.kubevirt.io``: extensions that change machines and act when they start and stop.

What runs a plugin's hooks is elsewhere; here stands what a plugin may ask for.
"""
