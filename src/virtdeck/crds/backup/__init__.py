"""backup.kubevirt.io: full and incremental backups of running virtual machines, and their checkpoints."""
