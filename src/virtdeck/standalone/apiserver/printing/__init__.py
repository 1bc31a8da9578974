"""Tables as kubectl prints them. Pure."""
