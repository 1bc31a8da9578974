"""Words without a domain: error roots, settings, logging, clock, readiness.

What stands here knows neither Kubernetes nor libvirt and imports nothing of virtdeck.
A name that only one package needs belongs into that package, not here.
"""
