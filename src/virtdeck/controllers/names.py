"""Labels, annotations, finalizers and phases that the controllers share with the other components."""

# labels
APP = "kubevirt.io"
CREATED_BY = "kubevirt.io/created-by"
NODE_NAME = "kubevirt.io/nodeName"
POOL_REVISION = "kubevirt.io/vm-pool-revision-name"
SCHEDULABLE = "kubevirt.io/schedulable"
VM_NAME = "vm.kubevirt.io/name"

# annotations
DOMAIN = "kubevirt.io/domain"
HEARTBEAT = "kubevirt.io/heartbeat"
MEMORY_OVERHEAD = "kubevirt.io/memory-overhead-bytes"
VM_GENERATION = "kubevirt.io/vm-generation"

# finalizers
VM_FINALIZER = "kubevirt.io/virtualMachineControllerFinalize"
VMI_FINALIZER = "kubevirt.io/foregroundDeleteVirtualMachine"

# phases of a VMI
PENDING = "Pending"
SCHEDULING = "Scheduling"
SCHEDULED = "Scheduled"
RUNNING = "Running"
SUCCEEDED = "Succeeded"
FAILED = "Failed"
UNKNOWN = "Unknown"

FINAL = frozenset({SUCCEEDED, FAILED})
BEFORE_HANDOVER = frozenset({None, "", PENDING, SCHEDULING})
ON_NODE = frozenset({SCHEDULED, RUNNING, UNKNOWN})
