"""The VirtualMachine's controller: whether its VMI should run now, and what the VM's status says of it.

Power, printable status, back-off and conditions are decided apart, each in a module of its name.
"""
