"""What became of the domain, as virt-handler is told; pure.

``life`` holds the phase and its reasons and says which one follows from what libvirt reports.
"""
