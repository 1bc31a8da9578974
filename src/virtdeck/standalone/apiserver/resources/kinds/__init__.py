"""The rules of the built-in kinds that have some of their own."""
