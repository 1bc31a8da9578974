"""What runs beside requests: garbage collection, namespaces, expiry, conditions of CRDs and APIServices."""
