"""Brings a Debian machine to where virtdeck can run: packages and the virtual environment.

Runs before anything is installed, so it uses Python's standard library alone.
"""
