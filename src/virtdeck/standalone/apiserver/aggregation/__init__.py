"""Passes requests on to the servers behind APIServices, and the HTTP client that all outward calls use."""
