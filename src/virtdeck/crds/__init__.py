"""The API itself: typed models of every kind, the manifests generated from them, quantities, selectors,
conditions, reasons. Pure: no I/O, no clock."""
