"""What tells clients what is served: discovery in both formats, OpenAPI v2 and v3."""
