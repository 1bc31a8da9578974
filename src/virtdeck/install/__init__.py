"""The objects that make up an installation (roles, bindings, webhook configurations, APIService,
KubeVirt) as plain values. Pure; whoever installs applies them."""
