"""What this host can hold a bot with: found out once, by trying."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from arena.launch.cgroup import find_groups, wait_until_removed
from arena.launch.command import Order, on_leash
from arena.launch.limits import Limits
from arena.launch.manifest import Manifest
from arena.launch.sandbox import Sandbox, Tools
from arena.launch.seccomp import seccomp_filter

SWITCH: Final = "ARENA_SANDBOX"
"""The variable that switches the sandbox off, for a bot of one's own that needs more than it gives."""

INSTALL: Final = "install it with 'apt-get install bubblewrap' (or dnf, pacman, zypper)"
NAMESPACES: Final = (
    "let people have user namespaces: 'sysctl kernel.unprivileged_userns_clone=1' or, on Ubuntu, "
    "'sysctl kernel.apparmor_restrict_unprivileged_userns=0'"
)
TRIAL_SECONDS: Final = 10


GROUPS: Final = "run arena as root, or under 'systemd-run --user --scope -p Delegate=yes'"


@dataclass(frozen=True, slots=True)
class Ability:
    """Something that a bot can be held by."""

    name: str
    enforced: str
    advice: str = ""
    """What to do when it is not enforced, or not fully."""


@dataclass(frozen=True, slots=True)
class Host:
    """What was found."""

    tools: Tools | None
    """None when there can be no sandbox."""
    obstacle: str = ""
    """Why there can be none, and what to do about it."""
    switched_off: bool = False
    """Whether that is what the person at the keyboard wants."""


def survey() -> Host:
    """What can be used: nothing if the person at the keyboard has switched it off."""
    if os.environ.get(SWITCH) == "off":
        return Host(None, f"{SWITCH} is off", switched_off=True)
    return found()


@cache
def found() -> Host:
    """Look about, once per process. Takes some 30 ms where there is a sandbox to be tried."""
    if sys.platform != "linux":
        return Host(None, f"a sandbox needs Linux, and this is {sys.platform}")
    bwrap = shutil.which("bwrap")
    if bwrap is None:
        return Host(None, f"bubblewrap is not installed; {INSTALL}")
    tools = Tools(
        bwrap=bwrap,
        closes_namespaces=_version(bwrap) >= (0, 8),
        prlimit=_under_usr("prlimit"),
        groups=find_groups(),
        system_calls=seccomp_filter(),
        root=os.getuid() == 0,
    )
    obstacle = trial(tools)
    return Host(None if obstacle else tools, obstacle)


def abilities(look: Callable[[], Host] = survey) -> list[Ability]:
    """All that bots can be held by, and how far this host does it."""
    host = look()
    if host.tools is None:
        return [Ability("bubblewrap", "no", host.obstacle), *(Ability(name, "no") for name in WALLS)]
    tools, limits = host.tools, Limits()
    return [
        Ability("bubblewrap", f"yes, version {'.'.join(map(str, _version(tools.bwrap)))}"),
        Ability("network", "none"),
        Ability("files", f"their own and /usr, read-only, and {limits.tmp_mb} MB to write to"),
        _user(tools),
        _system_calls(tools),
        _memory(tools, limits),
        _processes(tools, limits),
        _processor(tools, limits),
    ]


WALLS: Final = ("network", "files", "user", "kernel calls", "memory", "processes", "processor")


def _user(tools: Tools) -> Ability:
    return Ability("user", "one for each process" if tools.root else "yours, without its rights")


def _system_calls(tools: Tools) -> Ability:
    return Ability("kernel calls", "filtered" if tools.system_calls else f"not filtered on {platform.machine()}")


def _memory(tools: Tools, limits: Limits) -> Ability:
    if "memory" in tools.controllers:
        return Ability("memory", f"{limits.memory_mb} MB for a bot with all that it starts")
    return Ability("memory", f"{limits.memory_mb} MB for each process, no limit for all of a bot together", GROUPS)


def _processes(tools: Tools, limits: Limits) -> Ability:
    if "pids" in tools.controllers or tools.prlimit:
        return Ability("processes", f"{limits.processes}")
    return Ability("processes", "no limit", "install util-linux, which has prlimit")


def _processor(tools: Tools, limits: Limits) -> Ability:
    if "cpu" in tools.controllers:
        return Ability("processor", f"{limits.cores:g} core")
    return Ability("processor", "all that the arena has", GROUPS)


def trial(tools: Tools) -> str:
    """Start the arena's Python in a sandbox. Says what went wrong, and nothing when all is well."""
    folder = Path("/usr/share")
    manifest = Manifest("trial", (), (), None, folder)
    launch = Sandbox(tools)(Order(manifest, (sys.executable, "-I", "-S", "-c", ""), {}, folder))
    try:
        done = subprocess.run(
            on_leash(launch),
            env=launch.environment,
            pass_fds=launch.files,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            errors="replace",
            timeout=TRIAL_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"a sandbox did not start within {TRIAL_SECONDS} s"
    finally:
        for file in launch.files:
            os.close(file)
        if launch.group:
            wait_until_removed(launch.group, TRIAL_SECONDS)
    return "" if done.returncode == 0 else _why(done.stderr)


def _why(said: str) -> str:
    last = (said.strip().splitlines() or ["it says nothing"])[-1]
    if re.search(r"namespace|uid map|Operation not permitted|No permissions", said):
        return f"bubblewrap cannot make a sandbox here ({last}); {NAMESPACES}"
    return f"bubblewrap cannot make a sandbox here ({last})"


def _version(bwrap: str) -> tuple[int, ...]:
    said = _output([bwrap, "--version"])
    return tuple(int(number) for number in re.findall(r"\d+", said)[:2])


def _output(command: Sequence[str]) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=TRIAL_SECONDS, check=False).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ""


def _under_usr(program: str) -> str | None:
    """The program as bots find it: in /usr, which the sandbox shows."""
    return shutil.which(program, path="/usr/bin:/usr/local/bin")
