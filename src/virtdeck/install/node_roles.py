"""What a node's own agent (kubelet, or virtdeck's pod runner and scheduler) may do on one machine.

A cluster brings its Node authorizer and scheduler roles; where virtdeck is the cluster, these stand in.
"""

from virtdeck.install.rules import READ, Object, allow, cluster_role, cluster_role_binding, group

NODE = "virtdeck:node"


def node_roles() -> list[Object]:
    """The role of group system:nodes, and its binding.

    Secrets and config maps are read one by one, as a pod on the node names them; never listed.
    """
    rules = [
        allow("", "nodes", (*READ, "create", "update", "patch")),
        allow("", "nodes/status", "update patch"),
        allow("", "pods", (*READ, "delete")),
        allow("", "pods/status", "update patch"),
        allow("", "pods/binding", "create"),
        allow("", "secrets configmaps", "get"),
        allow("", "services namespaces", READ),
        allow("", "events", "create patch"),
        allow("events.k8s.io", "events", "create patch"),
        allow("coordination.k8s.io", "leases", "get create update patch"),
    ]
    return [cluster_role(NODE, rules), cluster_role_binding(NODE, NODE, group("system:nodes"))]
