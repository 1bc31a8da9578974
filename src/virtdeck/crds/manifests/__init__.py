"""CustomResourceDefinitions, made from the types: ``crd_manifest(kind)``, ``crd_manifests(kinds)``,
``openapi_schema(kind)``.

The YAML files beside this module are what a cluster's administrator applies; ``python -m
virtdeck.crds.manifests`` writes them anew after a type changed, and a test compares them. Nothing here is
written by hand, and nothing a component needs at run time stands here.
"""

from virtdeck.crds.manifests.crd import crd_manifest, crd_manifests
from virtdeck.crds.manifests.schema import openapi_schema

__all__ = ["crd_manifest", "crd_manifests", "openapi_schema"]
