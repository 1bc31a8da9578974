"""What people type: the real kubectl, the installed one and (in CI) Debian's 1.20 as well."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml
from tests.contract.apiserver.running import Api, Running

pytestmark = pytest.mark.kubectl
# KUBECTLS: paths of further versions, with a colon between them.
KUBECTLS = [
    path
    for path in (shutil.which("kubectl") or "", *os.environ.get("KUBECTLS", "").split(":"))
    if Path(path).is_file()
]
MANIFESTS = Path(__file__).parents[3] / "src/virtdeck/crds/manifests"
VM = """
apiVersion: kubevirt.io/v1
kind: VirtualMachine
metadata: {name: vm1, labels: {app: one}}
spec:
  runStrategy: Halted
  template:
    spec:
      domain:
        devices: {disks: [{name: d, disk: {bus: virtio}}]}
        memory: {guest: 64Mi}
      volumes: [{name: d, containerDisk: {image: demo}}]
"""


@pytest.fixture(scope="session")
def kubevirt_kinds(server: Running) -> None:
    api = server.api()
    for path in MANIFESTS.glob("*.yaml"):
        api.made("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", yaml.safe_load(path.read_text()))


class Kubectl:
    """One version, one namespace."""

    def __init__(self, program: str, config: Path, namespace: str, home: Path) -> None:
        self._command = [program, "--kubeconfig", str(config), "--namespace", namespace]
        self._home = home

    def run(self, *arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*self._command, *arguments],
            input=given,
            capture_output=True,
            text=True,
            timeout=60,
            env={"HOME": str(self._home), "PATH": os.environ["PATH"]},
            check=False,
        )

    def __call__(self, *arguments: str, given: str = "") -> str:
        done = self.run(*arguments, given=given)
        assert done.returncode == 0, done.stderr
        return done.stdout


@pytest.fixture(params=KUBECTLS, ids=lambda path: path)
def kubectl(
    request: pytest.FixtureRequest, server: Running, kubevirt_kinds: None, namespace: str, tmp_path: Path
) -> Kubectl:
    return Kubectl(request.param, server.kubeconfig(), namespace, tmp_path)


def lines(text: str) -> list[list[str]]:
    return [line.split() for line in text.splitlines()]


def test_apply_get_describe_edit_delete_of_a_vm(kubectl: Kubectl) -> None:
    assert kubectl("apply", "-f", "-", given=VM) == "virtualmachine.kubevirt.io/vm1 created\n"
    assert kubectl("apply", "-f", "-", given=VM) == "virtualmachine.kubevirt.io/vm1 unchanged\n"
    changed = VM.replace("64Mi", "96Mi")
    assert kubectl("apply", "-f", "-", given=changed) == "virtualmachine.kubevirt.io/vm1 configured\n"
    assert lines(kubectl("get", "vm"))[0] == ["NAME", "AGE", "STATUS", "READY"]
    assert "Run Strategy:  Halted" in kubectl("describe", "vm", "vm1")
    assert kubectl("get", "vms", "vm1", "-o", "jsonpath={.spec.template.spec.domain.memory.guest}") == "96Mi"
    assert kubectl("label", "vm", "vm1", "tier=web") == "virtualmachine.kubevirt.io/vm1 labeled\n"
    assert kubectl("get", "vm", "-l", "tier=web", "-o", "name") == "virtualmachine.kubevirt.io/vm1\n"
    kubectl("patch", "vm", "vm1", "--type=merge", "-p", '{"spec":{"runStrategy":"Manual"}}')
    assert kubectl("delete", "vm", "vm1").startswith('virtualmachine.kubevirt.io "vm1" deleted')
    assert "NotFound" in kubectl.run("get", "vm", "vm1").stderr


def test_misspelt_field_is_refused_by_name(kubectl: Kubectl) -> None:
    done = kubectl.run("apply", "-f", "-", given=VM.replace("runStrategy", "runStrategi"))
    assert done.returncode == 1
    assert "unknown field" in done.stderr
    assert "runStrategi" in done.stderr


def test_server_side_apply(kubectl: Kubectl) -> None:
    command = ("apply", "--server-side", "-f", "-")
    assert "vm1 serverside-applied" in kubectl(*command, given=VM)
    assert "vm1 serverside-applied" in kubectl(*command, given=VM)


def managers(kubectl: Kubectl) -> list[str]:
    path = "jsonpath={range .metadata.managedFields[*]}{.manager}/{.operation}{'\\n'}{end}"
    return kubectl("get", "vm", "vm1", "-o", path).split()


def test_client_side_apply_moves_on_to_server_side_apply(kubectl: Kubectl) -> None:
    kubectl("apply", "-f", "-", given=VM)
    assert managers(kubectl) == ["kubectl-client-side-apply/Update"]
    changed = VM.replace("64Mi", "96Mi")
    assert "serverside-applied" in kubectl("apply", "--server-side", "-f", "-", given=changed)
    assert "kubectl/Apply" in managers(kubectl)
    back = kubectl("apply", "-f", "-", given=VM)
    assert back == "virtualmachine.kubevirt.io/vm1 configured\n"


def test_server_side_conflict_is_told_and_can_be_forced(kubectl: Kubectl) -> None:
    kubectl("apply", "--server-side", "-f", "-", given=VM)
    kubectl("patch", "vm", "vm1", "--type=merge", "-p", '{"spec":{"runStrategy":"Manual"}}')
    refused = kubectl.run("apply", "--server-side", "-f", "-", given=VM)
    assert refused.returncode == 1
    assert 'conflict with "kubectl-patch"' in refused.stderr
    kubectl("apply", "--server-side", "--force-conflicts", "-f", "-", given=VM)
    assert kubectl("get", "vm", "vm1", "-o", "jsonpath={.spec.runStrategy}") == "Halted"


def test_server_dry_run_stores_nothing(kubectl: Kubectl) -> None:
    assert "created (server dry run)" in kubectl("apply", "--dry-run=server", "-f", "-", given=VM)
    assert "NotFound" in kubectl.run("get", "vm", "vm1").stderr


def test_create_commands_of_built_in_kinds(kubectl: Kubectl) -> None:
    kubectl("create", "configmap", "c", "--from-literal=a=b")
    kubectl("create", "secret", "generic", "s", "--from-literal=a=b")
    kubectl("create", "serviceaccount", "robot")
    kubectl("create", "role", "r", "--verb=get,list", "--resource=pods,virtualmachines.kubevirt.io")
    kubectl("create", "rolebinding", "rb", "--role=r", "--user=bob")
    kubectl("create", "quota", "q", "--hard=pods=3")
    assert kubectl("get", "secret", "s", "-o", "jsonpath={.data.a}") == "Yg=="
    assert lines(kubectl("get", "cm", "c"))[1][:2] == ["c", "1"]
    assert kubectl("auth", "can-i", "get", "vm", "--as=bob") == "yes\n"
    assert kubectl.run("auth", "can-i", "delete", "vm", "--as=bob").stdout == "no\n"


def test_explain_shows_fields(kubectl: Kubectl) -> None:
    assert "containers" in kubectl("explain", "pod.spec")
    assert "runStrategy" in kubectl("explain", "vm.spec")
    assert "<[]Object>" in kubectl("explain", "pod.spec.volumes") or "<[]Volume>" in kubectl(
        "explain", "pod.spec.volumes"
    )


def test_api_resources_and_versions(kubectl: Kubectl) -> None:
    listed = lines(kubectl("api-resources"))
    assert ["virtualmachines", "vm,vms", "kubevirt.io/v1", "true", "VirtualMachine"] in listed
    assert "kubevirt.io/v1" in kubectl("api-versions").split()
    assert kubectl("get", "all", "--ignore-not-found") == ""


def test_wait_sees_a_condition_and_a_deletion(kubectl: Kubectl, api: Api, namespace: str) -> None:
    kubectl("apply", "-f", "-", given=VM)
    path = f"/apis/kubevirt.io/v1/namespaces/{namespace}/virtualmachines/vm1/status"
    api.patch(path, {"status": {"conditions": [{"type": "Ready", "status": "True"}]}})
    assert "condition met" in kubectl("wait", "--for=condition=Ready", "vm/vm1", "--timeout=10s")
    kubectl("delete", "vm", "vm1", "--timeout=10s")


def test_pods_nodes_and_events_have_kubernetes_columns(kubectl: Kubectl, api: Api, namespace: str) -> None:
    pod = api.made(
        f"/api/v1/namespaces/{namespace}/pods",
        {"metadata": {"name": "p"}, "spec": {"containers": [{"name": "c", "image": "i"}]}},
    )
    table = lines(kubectl("get", "pods"))
    assert table[0] == ["NAME", "READY", "STATUS", "RESTARTS", "AGE"]
    assert table[1][:4] == ["p", "0/1", "Pending", "0"]
    wide = lines(kubectl("get", "pods", "-o", "wide"))[0]
    assert wide[5:] == ["IP", "NODE", "NOMINATED", "NODE", "READINESS", "GATES"]
    event = {
        "metadata": {"generateName": "e"},
        "involvedObject": {"kind": "Pod", "name": "p", "namespace": namespace, "uid": pod["metadata"]["uid"]},
        "reason": "Tested",
        "message": "it was",
        "type": "Normal",
    }
    api.made(f"/api/v1/namespaces/{namespace}/events", event)
    assert lines(kubectl("get", "events"))[0] == ["LAST", "SEEN", "TYPE", "REASON", "OBJECT", "MESSAGE"]
    assert "it was" in kubectl("describe", "pod", "p")


def test_log_of_a_pod_is_what_its_container_wrote(
    kubectl: Kubectl, api: Api, server: Running, namespace: str
) -> None:
    made = api.made(
        f"/api/v1/namespaces/{namespace}/pods",
        {"metadata": {"name": "p"}, "spec": {"containers": [{"name": "c", "image": "i"}]}},
    )
    folder = server.state.path("log", "pods", f"{namespace}_p_{made['metadata']['uid']}")
    folder.mkdir(parents=True)
    stamp = "2026-01-01T00:00:00.000000000Z stdout"
    (folder / "c.log").write_text(f"{stamp} F one\n{stamp} P tw\n{stamp} F o\n{stamp} F three\n")
    assert kubectl("logs", "p") == "one\ntwo\nthree\n"
    assert kubectl("logs", "p", "--tail=1") == "three\n"


def test_namespace_delete_waits_for_its_content(kubectl: Kubectl, api: Api, namespace: str) -> None:
    kubectl("apply", "-f", "-", given=VM)
    kubectl("delete", "namespace", namespace, "--timeout=20s")
    assert api.get(f"/api/v1/namespaces/{namespace}").code == 404
