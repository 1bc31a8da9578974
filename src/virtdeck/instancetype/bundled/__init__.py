"""The instance types and preferences that come with an installation, as values.

Sizes and guest systems are tables (``sizes``, ``guests``); ``objects`` makes the API's objects of them. The
names follow KubeVirt's series (u1, o1, d1, cx1, m1, n1, rt1), so that manifests that use them work; the set
and its words are our own. Who keeps the set in the API is ``controllers.bundled``.
"""

from virtdeck.instancetype.bundled.objects import VENDOR, VENDOR_LABEL, bundled_objects

__all__ = ["VENDOR", "VENDOR_LABEL", "bundled_objects"]
