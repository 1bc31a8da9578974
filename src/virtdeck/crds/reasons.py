"""Reasons of events; beside each group, who records them on which object."""

# virt-controller, on the VirtualMachine
SUCCESSFUL_CREATE = "SuccessfulCreate"
FAILED_CREATE = "FailedCreate"
SUCCESSFUL_DELETE = "SuccessfulDelete"
FAILED_DELETE = "FailedDelete"
SUCCESSFUL_UPDATE = "SuccessfulUpdate"
FAILED_UPDATE = "FailedUpdate"

# virt-controller, on the VirtualMachinePool (the first group's too: SuccessfulCreate of a machine …)
FAILED_SCALE_OUT = "FailedScaleOut"
FAILED_SCALE_IN = "FailedScaleIn"
FAILED_REVISION_PRUNING = "FailedRevisionPruning"
SUCCESSFUL_PAUSED = "SuccessfulPaused"
SUCCESSFUL_RESUME = "SuccessfulResume"

# virt-controller, on the VirtualMachineInstanceReplicaSet (the first group's too, of its VMIs)
SUCCESSFUL_RESUMED = "SuccessfulResumed"

# virt-controller, on the VirtualMachineInstance (SuccessfulCreate and FailedCreate: of its pod)
FAILED_POD_PATCH = "FailedPodPatch"
FAILED_HAND_OVER = "FailedHandOver"
SUCCESSFUL_HAND_OVER = "SuccessfulHandOver"
FAILED_GUARANTEE_RESOURCES = "FailedGuaranteeResources"
ERR_IMAGE_PULL = "ErrImagePull"
IMAGE_PULL_BACK_OFF = "ImagePullBackOff"
NODE_UNRESPONSIVE = "NodeUnresponsive"
NOT_MIGRATABLE = "NotMigratable"

# virt-handler, on the VirtualMachineInstance
CREATED = "Created"
STARTED = "Started"
STOPPED = "Stopped"
DELETED = "Deleted"
SHUTTING_DOWN = "ShuttingDown"
PAUSED = "Paused"
UNPAUSED = "Unpaused"
RESUMED = "Resumed"
RESET = "Reset"
SOFT_REBOOTED = "SoftRebooted"
SYNC_FAILED = "SyncFailed"
FREEZE_ERROR = "FreezeError"
GUEST_PANICKED = "GuestPanicked"
GUEST_AGENT_PING_FAILED = "GuestAgentPingFailed"
ACCESS_CREDENTIALS_SYNC_SUCCESS = "AccessCredentialsSyncSuccess"
ACCESS_CREDENTIALS_SYNC_FAILED = "AccessCredentialsSyncFailed"
NOTIFY_SERVER_FAILURE = "NotifyServerFailure"
