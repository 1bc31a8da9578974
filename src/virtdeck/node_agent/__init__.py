"""virt-handler, the node's side: watches its VMIs, drives their launchers, prepares disks and network,
serves consoles, says what the node can do. Owns what needs privilege.

``vmi`` decides and acts, ``launchers`` reaches the pods, ``network`` prepares them, ``host`` is the node,
``api`` what virt-api calls. What runs inside a pod belongs to the launcher, what is the same on every node to
virt-controller.
"""
