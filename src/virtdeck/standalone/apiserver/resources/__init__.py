"""What this server serves: built-in kinds, kinds from CRDs, and the rules each kind brings."""
