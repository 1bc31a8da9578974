"""Requests per second, from wrk: kept connections, TLS, a client that is never the bottleneck."""

import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from bench.api_sides import VMS, Side

# The scripts' arguments: token, collection, prefix of names, how many of them, body, content type.
_HEAD = """
function init(args)
  path, prefix, count, body, n, rv = args[2], args[3], tonumber(args[4]), args[5], 0, {}
  wrk.headers["Authorization"] = "Bearer " .. args[1]
  wrk.headers["Content-Type"] = args[6]
end
local function name() return prefix .. (n % count + 1) end
"""
_CREATE = """
function request() n = n + 1
  return wrk.format("POST", path, nil, (body:gsub("NAME", prefix .. n)))
end
"""
_GET = """
function request() n = n + 1
  return wrk.format("GET", path .. "/" .. name())
end
"""
_PATCH = """
function request() n = n + 1
  return wrk.format("PATCH", path .. "/" .. name(), nil, '{"metadata":{"annotations":{"n":"' .. n .. '"}}}')
end
"""
# A custom resource's update names the version that it replaces: each answer gives the next one's.
_UPDATE = """
function request() n = n + 1
  local known = rv[name()]
  if not known then return wrk.format("GET", path .. "/" .. name()) end
  rv[name()] = nil
  local more = ',"resourceVersion":"' .. known .. '","annotations":{"n":"' .. n .. '"}'
  local text = body:gsub('"name":"NAME"', '%0' .. more, 1):gsub("NAME", name())
  return wrk.format("PUT", path .. "/" .. name(), nil, text)
end
function response(status, headers, text)
  local found = text:match('"name":"(' .. prefix:gsub("%-", "%%-") .. '%d+)"')
  local version = text:match('"resourceVersion":"(%d+)"')
  if found and version then rv[found] = version end
end
"""
_SCRIPTS = {"create": _CREATE, "update": _UPDATE, "patch": _PATCH, "get": _GET}
OBJECTS = 400  # that updates, patches and gets go round: more than clients, so that few meet


@dataclass(frozen=True)
class Pressure:
    """What one server did under it. cpu: seconds of all its processes, for each request."""

    per_second: float
    p99: str
    cpu: float
    refused: int


def press(side: Side, verb: str, clients: int, seconds: int, prefix: str, body: str) -> Pressure:
    """One verb on VirtualMachines by so many clients for so long."""
    kind = "application/merge-patch+json" if verb == "patch" else "application/json"
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
        script.write(_HEAD + _SCRIPTS[verb])
        script.flush()
        command = [
            "wrk",
            "-t1",
            f"-c{clients}",
            f"-d{seconds}s",
            "--latency",
            "-s",
            script.name,
            side.url,
            "--",
        ]
        before = side.cpu_seconds()
        arguments = [side.token, VMS, prefix, str(OBJECTS), body, kind]
        done = subprocess.run([*command, *arguments], capture_output=True, text=True, check=True)
        cpu = side.cpu_seconds() - before
    return _parse(done.stdout, cpu)


def _parse(text: str, cpu: float) -> Pressure:
    requests, refused, took, p99 = 0, 0, 1.0, ""
    for line in text.splitlines():
        words = line.split()
        if " requests in " in line:
            requests, took = int(words[0]), _seconds(words[3].rstrip(","))
        elif "Non-2xx" in line:
            refused = int(words[-1])
        elif words[:1] == ["99%"]:
            p99 = words[1]
    return Pressure((requests - refused) / took, p99, cpu / max(requests, 1), refused)


def _seconds(text: str) -> float:
    units = {"ms": 1e-3, "us": 1e-6, "m": 60.0, "s": 1.0}
    unit = next(one for one in units if text.endswith(one))
    return float(text.removesuffix(unit)) * units[unit]


def require_wrk() -> None:
    """Raises: RuntimeError without the program."""
    if not any((Path(folder) / "wrk").exists() for folder in ("/usr/bin", "/usr/local/bin")):
        raise RuntimeError("wrk is missing: apt-get install wrk")
