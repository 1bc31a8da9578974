"""Kubernetes' own kinds: the fields that virtdeck reads or writes. What is not here is ignored on decoding
and never lost, for components patch and do not replace."""
