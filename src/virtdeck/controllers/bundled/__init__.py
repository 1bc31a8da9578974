"""Keeps the bundled instance types and preferences in the API, for as long as the installation wants them.

What they are is ``instancetype.bundled``; what others made, under whatever name, is never touched.
"""
