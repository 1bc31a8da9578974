"""Rules that hold for every object: metadata, names, selectors. Pure."""
