"""Tasks: every act of a person on the console, with its steps, its end and, if it failed, the cause. They are
kept in SQLite and followed in the caches to the real end (a start ends when the guest runs, not when the
request was taken), across restarts of the gateway."""
