"""virt-handler's own HTTPS API, which virt-api alone may call.

Lifecycle acts and guest data go to the launcher; screens and serial lines are bridged to its sockets, and who
holds them is kept here, where it can be kept truthfully. No Kubernetes object is written here.
"""
