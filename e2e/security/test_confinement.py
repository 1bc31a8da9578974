"""What is inside a launcher's container, seen from the host: nothing that is of use elsewhere."""

import json
import re
from pathlib import Path

import pytest
from e2e.product import Product, program_of
from e2e.security.stage import MINE, THEIRS, Stage

pytestmark = [pytest.mark.root, pytest.mark.guest, pytest.mark.kubectl]

# What of the host a launcher has (S-02): source on the host, place in the container, read-only.
# {state}, {pod} and {venv} stand for this instance's folders.
HOST_MOUNTS = {
    ("{state}/runner/pods/{pod}/root", "/", "ro"),
    ("{state}/runner/pods/{pod}/etc", "/etc", "ro"),
    ("{state}/capabilities", "/run/kubevirt-capabilities", "ro"),
    ("{state}/kubelet/pods/{pod}/volumes/kubernetes.io~empty-dir/private", "/run/kubevirt-private", "rw"),
    ("{state}/kubelet/pods/{pod}/volumes/kubernetes.io~empty-dir/libvirt-runtime", "/run/libvirt", "rw"),
    (
        "{state}/kubelet/pods/{pod}/volumes/kubernetes.io~empty-dir/ephemeral-disks",
        "/run/kubevirt-ephemeral-disks",
        "rw",
    ),
    ("{state}/images/trees/{image}", "/run/kubevirt/kernel-boot", "ro"),
    ("/usr", "/usr", "ro"),
    ("{venv}", "{venv}", "ro"),
    ("{src}", "{src}", "ro"),
}
KERNELS_OWN = ("/proc", "/dev", "/sys", "/run", "/tmp")
PROGRAMS = ("python", "libvirtd", "qemu-system-x86")


@pytest.fixture
def inside(stage: Stage) -> list[int]:
    """The processes in the containers of the two projects' guests."""
    pods = [
        pod["metadata"]["uid"]
        for namespace in (MINE, THEIRS)
        for pod in json.loads(stage.product.kubectl("-n", namespace, "get", "pods", "-o", "json"))["items"]
    ]
    found = [pid for program in PROGRAMS for pid in stage.product.processes_of(program) if _is_in(pid, pods)]
    assert {program_of(pid) for pid in found} == set(PROGRAMS)
    return found


def _is_in(pid: int, pods: list[str]) -> bool:
    cgroups = Path(f"/proc/{pid}/cgroup").read_text()
    return any(uid in cgroups for uid in pods)


def test_no_process_of_a_guest_has_any_privilege(inside: list[int]) -> None:
    for pid in inside:
        status = dict(re.findall(r"^(\w+):\t(.*)$", Path(f"/proc/{pid}/status").read_text(), re.MULTILINE))
        sets = {name: status[name] for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")}
        assert set(sets.values()) == {"0" * 16}, program_of(pid)
        assert (status["NoNewPrivs"], status["Seccomp"]) == ("1", "2")
        assert "0" not in status["Uid"].split()
        assert Path(f"/proc/{pid}/cwd").readlink() == Path("/")


def test_containers_have_the_listed_folders_of_the_host_alone(stage: Stage, inside: list[int]) -> None:
    state, venv = str(stage.product.state), "{venv}"
    if stage.product.state.stat().st_dev != Path("/").stat().st_dev:
        pytest.skip(
            "needs the state folder on the root file system: mounts are told by their paths within one"
        )
    for pid in (pid for pid in inside if program_of(pid) == "python"):
        found = set()
        for line in Path(f"/proc/{pid}/mountinfo").read_text().splitlines():
            fields, kind = line.split()[:6], line.partition(" - ")[2].split()[0]
            if kind in ("proc", "tmpfs", "sysfs", "devpts", "mqueue"):
                assert fields[4].startswith(KERNELS_OWN), line
                continue
            found.add((_plain(fields[3], state), _plain(fields[4], state), fields[5].split(",")[0]))
        assert found == {tuple(part.replace("{venv}", venv) for part in mount) for mount in HOST_MOUNTS}


def _plain(path: str, state: str) -> str:
    """The path with this instance's own parts named."""
    path = path.replace(state, "{state}")
    path = re.sub(r"/pods/[0-9a-f-]{36}", "/pods/{pod}", path)
    path = re.sub(r"/trees/[^/]+$", "/trees/{image}", path)
    return "{venv}" if path.endswith("/.venv") else "{src}" if path.endswith("/src") else path


def test_containers_hold_no_credentials(stage: Stage, inside: list[int]) -> None:
    tokens = [token.encode() for token in stage.tokens.values()]
    keys = [path.read_bytes() for path in (stage.product.state / "pki").glob("*.key")]
    for pid in inside:
        environment = Path(f"/proc/{pid}/environ").read_bytes()
        names = {entry.partition(b"=")[0] for entry in environment.split(b"\0") if entry}
        assert not any(b"KUBERNETES" in name or b"TOKEN" in name or b"SECRET" in name for name in names)
        assert not any(token in environment for token in tokens)
        root = Path(f"/proc/{pid}/root")
        assert not (root / "run/secrets").exists()
        assert not (root / "var/run/secrets").exists()
        for folder in ("etc", "run"):
            for path in (root / folder).rglob("*"):
                if path.is_file() and not path.is_symlink() and path.stat().st_size < 100_000:
                    content = path.read_bytes()
                    assert not any(secret in content for secret in (*tokens, *keys)), path


def test_libvirt_and_vnc_are_behind_private_sockets(inside: list[int]) -> None:
    for pid in inside:
        for table in ("tcp", "tcp6"):
            rows = [row.split() for row in Path(f"/proc/{pid}/net/{table}").read_text().splitlines()[1:]]
            assert [row[1] for row in rows if row[3] == "0A"] == [], f"{program_of(pid)} listens on TCP"
        sockets = [path for path in Path(f"/proc/{pid}/root/run").rglob("*") if path.is_socket()]
        assert sockets
        for path in sockets:
            assert path.stat().st_mode & 0o007 == 0 or path.parent.stat().st_mode & 0o077 == 0, path
            assert not path.name.endswith("-ro")


def test_what_guests_have_open_is_theirs(stage: Stage, inside: list[int]) -> None:
    kinds = re.compile(
        r"(/dev/(null|net/tun|kvm|pts/.*)|/run/(libvirt|kubevirt).*|(socket|pipe|anon_inode):.*)"
    )
    for pid in inside:
        for entry in Path(f"/proc/{pid}/fd").iterdir():
            try:
                target = str(entry.readlink())
            except FileNotFoundError:
                continue
            assert kinds.fullmatch(target), (program_of(pid), target)


def test_nobody_else_on_the_host_reads_the_instance(product: Product) -> None:
    state = product.state
    private = [*state.glob("pki/*.key"), *state.glob("kubeconfigs/*"), *state.glob("config/*")]
    private += [state / "admin.kubeconfig", state / "run/supervisor.sock", *state.glob("apiserver/*")]
    assert len(private) > 20
    for path in private:
        hidden = any(parent.stat().st_mode & 0o007 == 0 for parent in path.parents if state in parent.parents)
        assert hidden or path.stat().st_mode & 0o077 == 0, path
