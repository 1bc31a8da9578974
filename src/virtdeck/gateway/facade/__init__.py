"""The REST façade: kubevirt.io's own paths, with a session or a bearer token, and their documentation.

Each request is carried on to the API server as the user who sent it; nothing is decided here.
"""
