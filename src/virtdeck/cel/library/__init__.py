"""The functions of expressions, one module for each of the libraries that Kubernetes' documents list."""
