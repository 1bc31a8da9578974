"""virt-handler, the node's side: watches its VMIs, drives their launchers, prepares disks and network,
serves consoles. Owns what needs privilege."""
