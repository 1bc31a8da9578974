"""The kinds of ``instancetype.kubevirt.io``: sizes that machines share, and tastes of guest systems.

An instance type gives processors, memory and what the host lends; a preference fills what a template leaves
open. What becomes of both is ``virtdeck.instancetype``; import the modules.
"""
