"""virt-controller: one sub-package a reconciled kind, each observe, decide, act."""
