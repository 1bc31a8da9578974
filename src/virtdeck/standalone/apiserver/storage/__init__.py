"""Objects by revision: one SQLite log on disk, the current state and a window of the past in memory."""
