"""Objects of CRDs in other versions than they are stored in, as a webhook of the CRD converts them.

Rows carry what was converted of them, so that whoever shows a row needs not wait: ``Conversions.prepare``
comes first. Kinds without such a webhook differ between versions by name alone (``objects.versions``).
"""
