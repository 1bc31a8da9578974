"""Bodies, names and connections that are meant to hurt."""

import json
import socket
import ssl
import time
from itertools import pairwise
from typing import Any
from urllib.parse import urlsplit

import pytest
from e2e.machines import kernel_boot_vm
from e2e.security.stage import INSTANCES, MACHINES, MINE, SUBRESOURCES, THEIRS, Stage
from e2e.web import Browser, ask

pytestmark = [pytest.mark.root, pytest.mark.guest, pytest.mark.kubectl]

LETTERS = "abcdefghi"
BOMB = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{new}: &{new} [{','.join([f'*{old}'] * 9)}]\n" for old, new in pairwise(LETTERS)
)
YAML = {
    "alias bomb": "kind: VirtualMachine\napiVersion: kubevirt.io/v1\n" + BOMB,
    "depth": "kind: VirtualMachine\nspec: " + "[" * 100_000,
    "odd types": "kind: VirtualMachine\nspec: !!python/object/apply:os.system [id]\n",
    "binary": "kind: VirtualMachine\nspec: !!binary aGVsbG8=\n",
    "many documents": "---\nkind: VirtualMachine\n" * 1000,
}


@pytest.mark.parametrize("name", YAML)
def test_yaml_that_explodes_is_refused_quickly_everywhere(stage: Stage, admin: Browser, name: str) -> None:
    text = YAML[name]
    kind = {"Content-Type": "application/yaml"}
    token = {"Authorization": f"Bearer {stage.tokens['edit']}"}
    begin = time.monotonic()
    for path in (stage.product.url, stage.api.server):
        answer = ask(path + MACHINES.format(MINE), "POST", kind | token, text, stage.certificate(""))
        assert answer.code in (400, 413, 422), (path, answer.code)
        assert answer.json["kind"] == "Status"
    for do in ("check", "form", "create"):
        assert admin.post("/vms/new/yaml", {"csrf": admin.csrf(), "yaml": text, "do": do}).code in (413, 422)
    edit = {"csrf": admin.csrf(), "yaml": text, "do": "check"}
    assert admin.post(f"/ns/{MINE}/vms/guest/edit", edit).code in (413, 422)
    assert time.monotonic() - begin < 5


def test_json_that_explodes_is_refused(stage: Stage) -> None:
    token = {"Authorization": f"Bearer {stage.tokens['edit']}"}
    bodies = {
        b'{"a":' * 100_000 + b"1" + b"}" * 100_000: "application/json",
        b"x" * (3 * 1024 * 1024 + 1): "application/json",
        b"[" + b",".join([b'{"op":"test","path":"/a"}'] * 10_001) + b"]": "application/json-patch+json",
    }
    for body, kind in bodies.items():
        method, path = ("POST", MACHINES) if kind == "application/json" else ("PATCH", f"{INSTANCES}/guest")
        for server in (stage.product.url, stage.api.server):
            headers = {"Content-Type": kind} | token
            code = _code(server + path.format(MINE), method, headers, body, stage.certificate(""))
            assert code in (0, 400, 413, 422), (server, kind, len(body), code)


def _code(url: str, method: str, headers: dict[str, str], body: bytes, context: ssl.SSLContext) -> int:
    """The status code; 0 when the server closed before it had taken the body."""
    try:
        return ask(url, method, headers, body, context).code
    except OSError:
        return 0


def test_forms_have_a_bound_too(admin: Browser) -> None:
    sent = {"Cookie": admin.cookie, **admin.own}
    sent["Content-Type"] = "application/x-www-form-urlencoded"
    body = b"csrf=" + admin.csrf().encode() + b"&yaml=" + b"x" * (3 * 1024 * 1024 + 1)
    assert _code(admin.product.url + "/vms/new/yaml", "POST", sent, body, ssl.create_default_context()) in (
        0,
        413,
    )
    many = {f"f{n}": "1" for n in range(2000)} | {"csrf": admin.csrf()}
    assert admin.post("/settings", many).code in (303, 400, 413, 422)
    parts = b"".join(b'--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n' for _ in range(5000))
    sent["Content-Type"] = "multipart/form-data; boundary=b"
    assert ask(admin.product.url + "/vms/new/yaml", "POST", sent, parts + b"--b--").code in (
        400,
        403,
        413,
        422,
    )


SPECIALS = [
    "\"'<>&]]>",
    "&lt;!ENTITY x SYSTEM 'file:///etc/passwd'&gt;",
    "a\nb",
    "a,b=c",
    "\x00",
    "\ufffe",
    "x" * 65536,
]


@pytest.mark.parametrize("special", SPECIALS, ids=lambda text: ascii(text[:12]))
def test_no_text_changes_the_shape_of_a_domain(stage: Stage, special: str) -> None:
    def refused_or_plain(change: Any) -> None:
        vm = json.loads(kernel_boot_vm("shaped", "Halted"))
        change(vm["spec"]["template"]["spec"])
        vm["metadata"]["namespace"] = MINE
        code, answer = stage.api.call("POST", f"{MACHINES.format(MINE)}?dryRun=All", vm)
        assert code in (201, 422), answer
        if code == 201:  # kernel arguments may hold quotes and signs; the renderer escapes them
            assert special == special.strip("\x00\ufffe\n")

    kernel = "firmware"
    for change in (
        lambda spec: spec["domain"][kernel]["kernelBoot"].update(kernelArgs=special),
        lambda spec: spec["domain"][kernel]["kernelBoot"]["container"].update(kernelPath=special),
        lambda spec: spec["domain"][kernel].update(serial=special),
        lambda spec: spec["domain"].update(machine={"type": special}),
        lambda spec: spec["domain"].update(cpu={"model": special}),
        lambda spec: spec["domain"].update(chassis={"serial": special}),
        lambda spec: spec["domain"]["devices"].update(
            interfaces=[{"name": "default", "masquerade": {}, "macAddress": special}]
        ),
        lambda spec: spec.update(hostname=special),
    ):
        refused_or_plain(change)


@pytest.mark.parametrize(
    "path", ["/../../etc/shadow", "/proc/1/root/etc/shadow", "//x", "/a/./../..", "/boot/\x00"]
)
def test_no_path_leads_out_of_an_image(stage: Stage, path: str) -> None:
    vm = json.loads(kernel_boot_vm("pathed", "Halted"))
    vm["spec"]["template"]["spec"]["domain"]["firmware"]["kernelBoot"]["container"]["kernelPath"] = path
    code, answer = stage.api.call("POST", f"{MACHINES.format(MINE)}?dryRun=All", vm)
    assert code == 422, answer


def test_a_refused_upgrade_leaves_no_open_door(stage: Stage) -> None:
    """S-39: what follows on its connection has no more rights than it brings."""
    address = urlsplit(stage.api.server)
    refused = f"{SUBRESOURCES}/{MINE}/virtualmachineinstances/nobody/vnc"
    head = f"Host: x\r\nAuthorization: Bearer {stage.tokens['edit']}\r\n"
    upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    upgrade += "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
    second = f"{SUBRESOURCES}/{THEIRS}/virtualmachineinstances/guest/guestosinfo"
    with (
        socket.create_connection((address.hostname, address.port), 10) as plain,
        stage.certificate("").wrap_socket(plain, server_hostname=address.hostname) as channel,
    ):
        channel.sendall(f"GET {refused} HTTP/1.1\r\n{head}{upgrade}\r\n".encode())
        channel.sendall(f"GET {second} HTTP/1.1\r\nHost: x\r\nX-Remote-User: admin\r\n\r\n".encode())
        channel.settimeout(3)
        answer = b""
        try:
            while piece := channel.recv(65536):
                answer += piece
        except (TimeoutError, ssl.SSLError, ConnectionError):
            pass
    codes = [line.split()[1] for line in answer.split(b"\r\n") if line.startswith(b"HTTP/1.1 ")]
    assert codes[0] in (b"404", b"403")
    assert set(codes[1:]) <= {b"401", b"403"}
