"""Rules and defaults of every kind but VirtualMachine and VirtualMachineInstance: one module a kind.

Each module has the kind's ``RULES`` and one function a webhook, from objects and surroundings to a Verdict.
What a rule needs of other objects (does the VMI exist, is another migration under way) is handed in as
values; who reads them is ``gateway.webhooks``. What is made from a template is asked by a VMI's own rules.
"""
