"""What this host can hold a bot with: found out once, by trying."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from arena.launch.cgroup import find_groups
from arena.launch.command import Order, on_leash
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
            launch.group.remove()
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
