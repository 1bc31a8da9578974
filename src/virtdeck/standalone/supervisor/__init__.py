"""Keeps the instance's processes running: starts, watches, restarts, stops them, and says how they are.

Small and on the standard library alone, for it runs all the time; it knows processes, not virtual machines.
"""
