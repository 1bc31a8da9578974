"""Condition types and their reasons; beside each group, who writes it."""

# VirtualMachine: virt-controller
VM_READY = "Ready"
VM_FAILURE = "Failure"
VM_PAUSED = "Paused"
VM_RESTART_REQUIRED = "RestartRequired"
VM_MANUAL_RECOVERY_REQUIRED = "ManualRecoveryRequired"

# VirtualMachineInstance: virt-controller
READY = "Ready"
PROVISIONING = "Provisioning"
SYNCHRONIZED = "Synchronized"
POD_SCHEDULED = "PodScheduled"
DATA_VOLUMES_READY = "DataVolumesReady"
HOT_VCPU_CHANGE = "HotVCPUChange"
HOT_MEMORY_CHANGE = "HotMemoryChange"
VOLUMES_CHANGE = "VolumesChange"
MIGRATION_REQUIRED = "MigrationRequired"
EVICTION_REQUESTED = "EvictionRequested"

# VirtualMachineInstance: virt-handler
PAUSED = "Paused"
AGENT_CONNECTED = "AgentConnected"
AGENT_VERSION_NOT_SUPPORTED = "AgentVersionNotSupported"
ACCESS_CREDENTIALS_SYNCHRONIZED = "AccessCredentialsSynchronized"
LIVE_MIGRATABLE = "LiveMigratable"
STORAGE_LIVE_MIGRATABLE = "StorageLiveMigratable"
SOFTWARE_EMULATION = "SoftwareEmulation"

# Pod: virt-controller; the launcher pod's readiness gate
POD_UNPAUSED = "kubevirt.io/virtual-machine-unpaused"

# KubeVirt: whoever installs
KV_CREATED = "Created"
KV_AVAILABLE = "Available"
KV_PROGRESSING = "Progressing"
KV_DEGRADED = "Degraded"
KV_SYNCHRONIZED = "Synchronized"


class Reason:
    """Reasons that more than one component or a client's program looks for."""

    # Ready of a VM
    VMI_NOT_EXISTS = "VMINotExists"
    VMI_CONDITION_MISSING = "VMIConditionMissing"
    # Ready of a VMI
    POD_TERMINATING = "PodTerminating"
    POD_NOT_EXISTS = "PodNotExists"
    POD_CONDITION_MISSING = "PodConditionMissing"
    GUEST_NOT_RUNNING = "GuestNotRunning"
    # Paused
    PAUSED_BY_USER = "PausedByUser"
    PAUSED_IO_ERROR = "PausedIOError"
    PAUSED_BY_MIGRATION_MONITOR = "PausedByMigrationMonitor"
    # LiveMigratable is False
    DISKS_NOT_LIVE_MIGRATABLE = "DisksNotLiveMigratable"
    INTERFACE_NOT_LIVE_MIGRATABLE = "InterfaceNotLiveMigratable"
    HOTPLUG_NOT_LIVE_MIGRATABLE = "HotplugNotLiveMigratable"
    CPU_MODE_LIVE_MIGRATABLE = "CPUModeLiveMigratable"
    VIRTIOFS_NOT_LIVE_MIGRATABLE = "VirtIOFSNotLiveMigratable"
    HOST_DEVICE_NOT_LIVE_MIGRATABLE = "HostDeviceNotLiveMigratable"
    SEV_NOT_LIVE_MIGRATABLE = "SEVNotLiveMigratable"
    # VMI failed
    NODE_UNRESPONSIVE = "NodeUnresponsive"
    # KubeVirt
    ALL_COMPONENTS_READY = "AllComponentsReady"
    ALL_RESOURCES_CREATED = "AllResourcesCreated"
    DEPLOYMENT_IN_PROGRESS = "DeploymentInProgress"
