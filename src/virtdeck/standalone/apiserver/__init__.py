"""A Kubernetes API server for one machine: what kubectl and virtdeck's own components talk to.

A request goes through ``requests`` (parsing, negotiation), ``access`` (who, and may they), then ``verbs``
on a resource of ``resources``, past ``admission``, into ``storage``; or through ``aggregation`` to the
server behind an APIService. ``background`` holds what Kubernetes leaves to its controllers and that clients
rely on: garbage collection, namespace termination, expiry of events.
Nothing here knows what a virtual machine is.
"""
