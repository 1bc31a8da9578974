"""One-machine mode: CLI and supervisor, embedded API server, pod runner, images. Stands below the API
in place of a cluster; nothing imports it."""
