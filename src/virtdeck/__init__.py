"""virtdeck: virtual machines behind the KubeVirt API, on one machine or on any Kubernetes."""

__version__ = "0.1.0"
