"""Control groups: what the kernel counts and limits for all the processes of a bot together, in version 1 or 2.

Nothing else bounds the memory that several processes take together, or files in memory. Root has groups as a rule.
Others have them where systemd gave them a part of the tree: in a terminal of most desktops, or under
``systemd-run --user --scope -p Delegate=yes``.
"""

from __future__ import annotations

import itertools
import os
import signal
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.launch.limits import MB, Limits
from arena.launch.usage import Usage

LIMITING: Final = ("memory", "pids", "cpu")
COUNTING: Final = ("cpuacct",)
"""In version 1 the counting of processor time is a controller of its own."""

PERIOD_US: Final = 100_000
PREFIX: Final = "arena-"

_numbers = itertools.count()


@dataclass(frozen=True, slots=True)
class Groups:
    """Where groups can be made on this host."""

    version: int
    homes: Mapping[str, Path]
    """For each controller the folder in which groups may be made. In version 2 it is the same one for all."""

    def new(self, limits: Limits) -> Group:
        """A group with these limits. Raises OSError."""
        name = f"{PREFIX}{os.getpid()}-{next(_numbers)}"
        group = Group(self.version, {controller: home / name for controller, home in self.homes.items()})
        try:
            group.make(limits)
        except OSError:
            group.remove()
            raise
        return group

    def sweep(self) -> None:
        """Remove the groups of arenas that were killed before they could do it themselves."""
        for home in set(self.homes.values()):
            for folder in home.glob(f"{PREFIX}*-*"):
                if not Path("/proc", folder.name.split("-")[1]).exists():
                    with suppress(OSError):
                        folder.rmdir()


class Group:
    """The group of one bot."""

    def __init__(self, version: int, folders: Mapping[str, Path]) -> None:
        self._version = version
        self._folders = folders

    @property
    def doors(self) -> list[str]:
        """The files into which a process that has one thread writes 0 to enter.

        By cgroup.procs the kernel moves all threads of a process, and waits for all cores until none can be made
        meanwhile: 6 to 15 ms. A thread that moves itself need not wait. Version 2 has no such door for us.
        """
        door = "tasks" if self._version == 1 else "cgroup.procs"
        return [str(folder / door) for folder in dict.fromkeys(self._folders.values())]

    def make(self, limits: Limits) -> None:
        for folder in dict.fromkeys(self._folders.values()):
            folder.mkdir()
        for controller, folder in self._folders.items():
            for file, value in _settings(self._version, controller, limits):
                if (folder / file).exists():  # what a kernel counts of swap and of groups depends on how it was built
                    (folder / file).write_text(value)

    def kill(self) -> None:
        """Kill whoever is in it."""
        folder = next(iter(self._folders.values()))
        with suppress(OSError):
            if (folder / "cgroup.kill").exists():
                (folder / "cgroup.kill").write_text("1")
            else:
                for pid in self.members():
                    with suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGKILL)

    def members(self) -> list[int]:
        """The processes in it, by the numbers that the arena knows them by."""
        folder = next(iter(self._folders.values()))
        try:
            return [int(pid) for pid in (folder / "cgroup.procs").read_text().split()]
        except OSError:
            return []

    def usage(self) -> Usage:
        """What its processes have used together, those that have gone included."""
        if self._version == 1:
            cpu_us = _number(self._file("cpuacct", "cpuacct.usage")) // 1000
            return Usage(cpu_us, _number(self._file("memory", "memory.max_usage_in_bytes")) // 1024)
        return Usage(
            _field(self._file("cpu", "cpu.stat"), "usage_usec"), _number(self._file("memory", "memory.peak")) // 1024
        )

    def memory_kills(self) -> int:
        """How many of its processes the kernel has killed because together they took more memory than they may."""
        name = "memory.oom_control" if self._version == 1 else "memory.events"
        return _field(self._file("memory", name), "oom_kill")

    def _file(self, controller: str, name: str) -> Path:
        return self._folders.get(controller, Path("/nowhere")) / name

    def remove(self) -> bool:
        """Take it away; says whether it is gone. It stays as long as there is anybody in it, be it dying."""
        left = [folder for folder in dict.fromkeys(self._folders.values()) if not _removed(folder)]
        return not left


def _removed(folder: Path) -> bool:
    try:
        folder.rmdir()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True


def _settings(version: int, controller: str, limits: Limits) -> Iterator[tuple[str, str]]:
    memory, quota = str(limits.memory_mb * MB), str(int(limits.cores * PERIOD_US))
    if controller == "pids":
        yield "pids.max", str(limits.processes)
    elif controller == "memory" and version == 1:
        yield "memory.limit_in_bytes", memory
        yield "memory.memsw.limit_in_bytes", memory
    elif controller == "memory":
        yield "memory.max", memory
        yield "memory.swap.max", "0"
        yield "memory.oom.group", "1"
    elif controller == "cpu" and version == 1:
        yield "cpu.cfs_period_us", str(PERIOD_US)
        yield "cpu.cfs_quota_us", quota
    elif controller == "cpu":
        yield "cpu.max", f"{quota} {PERIOD_US}"


def _number(file: Path) -> int:
    try:
        return int(file.read_text())
    except (OSError, ValueError):
        return 0


def _field(file: Path, name: str) -> int:
    try:
        fields = dict(line.split(maxsplit=1) for line in file.read_text().splitlines())
        return int(fields.get(name, 0))
    except (OSError, ValueError):
        return 0


# ── where groups can be made ────────────────────────────────────────────────────────────────────────────────────────


def find_groups(proc: Path = Path("/proc/self")) -> Groups | None:
    """Where this process may make groups with at least one limit in force, or None."""
    mounts, places = _mounts(proc / "mountinfo"), _places(proc / "cgroup")
    for found in (_find_v2(mounts, places), _find_v1(mounts, places)):
        if found and _works(found):
            found.sweep()
            return found
    return None


def _mounts(file: Path) -> dict[str, tuple[Path, str]]:
    """For each controller of version 1, and for "" as version 2: where it is mounted, and what part of the tree."""
    found = {}
    for line in _lines(file):
        fields, _, kind = line.partition(" - ")
        root, point = fields.split()[3:5]
        name, _, options = kind.split(maxsplit=2)
        if name == "cgroup2":
            found[""] = Path(point), root
        elif name == "cgroup":
            found.update({option: (Path(point), root) for option in options.split(",")})
    return found


def _places(file: Path) -> dict[str, str]:
    """For each controller, and for "" as version 2, the group in which this process is."""
    found = {}
    for line in _lines(file):
        _, controllers, place = line.split(":", 2)
        found.update(dict.fromkeys(controllers.split(","), place))
    return found


def _lines(file: Path) -> list[str]:
    try:
        return file.read_text().splitlines()
    except OSError:
        return []


def _own(mounts: Mapping[str, tuple[Path, str]], places: Mapping[str, str], controller: str) -> Path | None:
    if controller not in mounts or controller not in places:
        return None
    point, root = mounts[controller]
    place = places[controller]
    below = place.removeprefix(root) if root != "/" and place.startswith(root) else place
    return point / below.lstrip("/")


def _find_v1(mounts: Mapping[str, tuple[Path, str]], places: Mapping[str, str]) -> Groups | None:
    owned = {name: _own(mounts, places, name) for name in (*LIMITING, *COUNTING)}
    homes = {name: home for name, home in owned.items() if home is not None and os.access(home, os.W_OK)}
    return Groups(1, homes) if homes.keys() & set(LIMITING) else None


def _find_v2(mounts: Mapping[str, tuple[Path, str]], places: Mapping[str, str]) -> Groups | None:
    """In version 2 a group that has limited groups in it holds no process: ours will do only if it can be emptied.

    If we are alone in our group we move into a part of it; else our group's parent may be open to us.
    """
    own = _own(mounts, places, "")
    if own is None:
        return None
    for home in (own, own.parent):
        limited = set(_words(home / "cgroup.subtree_control")) & set(LIMITING)
        if not limited and home == own and _alone_in(own):
            limited = _open_up(own)
        if limited and os.access(home, os.W_OK) and os.access(home / "cgroup.procs", os.W_OK):
            return Groups(2, {name: home for name in LIMITING if name in limited})
    return None


def _words(file: Path) -> list[str]:
    return [word for line in _lines(file) for word in line.split()]


def _alone_in(own: Path) -> bool:
    return _words(own / "cgroup.procs") == [str(os.getpid())] and os.access(own, os.W_OK)


def _open_up(own: Path) -> set[str]:
    """Move this process into a part of its group, and have the kernel limit the other parts."""
    offered = set(_words(own / "cgroup.controllers")) & set(LIMITING)
    part = own / f"{PREFIX}itself"
    try:
        part.mkdir(exist_ok=True)
        (part / "cgroup.procs").write_text(str(os.getpid()))
        (own / "cgroup.subtree_control").write_text(" ".join(f"+{name}" for name in sorted(offered)))
    except OSError:
        return set()
    return offered


def _works(groups: Groups) -> bool:
    try:
        return groups.new(Limits()).remove()
    except OSError:
        return False


def wait_until_removed(group: Group, seconds: float) -> bool:
    """Kill and remove the group; says whether it was gone in time."""
    deadline = time.monotonic() + seconds
    while not group.remove():
        group.kill()
        if time.monotonic() > deadline:
            return False
        time.sleep(0.002)
    return True
