"""One module a verb: get and list, watch, create, update, patch, delete, and the subresources."""
