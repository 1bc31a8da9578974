"""What may change or refuse a write before it is stored: webhooks, namespaces, service accounts."""
