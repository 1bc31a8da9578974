"""virt-api: admission webhooks, subresources, WebSocket proxies, REST façade, authentication, and the
console's pages. FastAPI."""
