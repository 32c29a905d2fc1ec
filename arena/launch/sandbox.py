"""The sandbox: a bot sees its own folder, the programs of the host and the arena's Python, read-only, and its socket.

It is made by bubblewrap out of namespaces: no network, no other process, no file of the host, no way to more rights. A
system call filter, limits of the kernel and a control group go with it. When bubblewrap's first process inside ends,
the kernel kills everything in there, whatever it has done to hide; and it is in the process group that the arena kills.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.launch.cgroup import Groups
from arena.launch.command import Launch, Order, cannot_start, check_program, surroundings
from arena.launch.limits import BUILDING, BUILT_MB, MB, Limits
from arena.launch.manifest import Manifest, shown
from arena.launch.visible import SHOW, python_places, search_path, system_places
from arena.launch.workshop import open_to_all

INSIDE: Final = "/bot"
"""Where a bot finds its folder."""
TMP: Final = "/tmp"  # noqa: S108 - the one in the sandbox, which is the bot's own
NOBODY: Final = "65534"

PASSWD: Final = f"bot:x:{NOBODY}:{NOBODY}:bot:{TMP}:/bin/sh\n"
GROUP: Final = f"bot:x:{NOBODY}:\n"

THROWN_AWAY: Final = 1_900_000_000
"""The first of the numbers from which root draws users that exist for one process only; systemd leaves them alone."""


@dataclass(frozen=True, slots=True)
class Tools:
    """What the host has to build a sandbox with."""

    bwrap: str
    closes_namespaces: bool
    """Whether bubblewrap can forbid further user namespaces, which it can from version 0.8."""
    prlimit: str | None
    groups: Groups | None
    system_calls: bytes | None
    """The filter for them."""
    root: bool

    @property
    def controllers(self) -> frozenset[str]:
        return frozenset(self.groups.homes) if self.groups else frozenset()


class Sandbox:
    """A wrapper that puts bots into sandboxes."""

    def __init__(self, tools: Tools, limits: Limits = Limits()) -> None:  # noqa: B008 - it is frozen
        self._tools = tools
        self._limits = limits
        self.confinement = describe(tools, limits)

    def apart(self, manifest: Manifest) -> bool:
        """Builds write only to copies; and a user thrown away has to be able to read what runs."""
        return manifest.build is not None or (self._tools.root and not open_to_all(manifest.folder))

    def __call__(self, order: Order) -> Launch:
        limits = BUILDING if order.building else self._limits
        environment = surroundings(order.environment, path=search_path(), home=TMP)
        self._check(order, environment["PATH"])
        user = THROWN_AWAY + secrets.randbelow(2**24)
        if order.building and self._tools.root:
            _hand_over(order.folder, user)
        plan = _Plan(order, environment, limits, self._tools)
        files, arguments = plan.files()
        group = None
        try:
            group = self._tools.groups.new(limits) if self._tools.groups else None
            doors = group.doors if group else []
        except BaseException:
            for file in files:
                os.close(file)
            raise
        inside = [self._tools.prlimit, f"--nproc={limits.processes}", "--"] if self._tools.prlimit else []
        return Launch(
            command=(self._tools.bwrap, "--args", str(arguments), "--", *inside, *order.command),
            environment={},
            folder=Path("/"),
            settings=(
                *(f"join={door}" for door in doors),
                *(f"limit={name}:{value}" for name, value in self._rlimits(limits, order.building).items()),
                *((*(f"stage={path}" for path in plan.staged), f"user={user}") if self._tools.root else ()),
            ),
            files=files,
            group=group,
            confinement=self.confinement,
        )

    def _check(self, order: Order, path: str) -> None:
        try:
            check_program(order, path)
        except Exception as error:
            if os.sep in order.command[0]:
                raise
            hint = f"the sandbox shows /usr and the arena's Python; name further folders in {SHOW}"
            raise cannot_start(order.manifest, f"there is no {shown(order.command[0])} in {path}; {hint}") from error

    def _rlimits(self, limits: Limits, building: bool) -> dict[str, int]:
        """What is limited for each process alone."""
        largest = BUILT_MB if building else 2 * limits.tmp_mb  # twice: a full /tmp shall say so before a signal kills
        found = {
            "CORE": 0,
            "CPU": limits.cpu_seconds,
            "FSIZE": largest * MB,
            "MSGQUEUE": 0,
            "NOFILE": limits.files,
        }
        if "memory" not in self._tools.controllers:
            found["DATA"] = limits.memory_mb * MB
        return found


def describe(tools: Tools, limits: Limits) -> str:
    """What is enforced, in the words of a record."""
    together = tools.controllers
    words = ["sandbox: no network, own files only, code read-only", f"tmp {limits.tmp_mb} MB"]
    words.append("user thrown away" if tools.root else "user of the arena")
    if tools.system_calls:
        words.append("system calls filtered")
    words.append(f"memory {limits.memory_mb} MB" + ("" if "memory" in together else " per process"))
    if "pids" in together or tools.prlimit:
        words.append(f"{limits.processes} processes")
    if "cpu" in together:
        words.append(f"{limits.cores:g} core" + ("s" if limits.cores != 1 else ""))
    return ", ".join(words)


class _Plan:
    """The arguments of bubblewrap for one launch."""

    def __init__(self, order: Order, environment: Mapping[str, str], limits: Limits, tools: Tools) -> None:
        self.staged: list[Path] = []
        """The paths that the leash has to put where a user thrown away can reach them."""
        self._order = order
        self._environment = environment
        self._limits = limits
        self._tools = tools

    def files(self) -> tuple[tuple[int, ...], int]:
        """All file descriptors to inherit, and the one among them that holds the arguments."""
        held: list[int] = []
        try:
            held.extend(_in_memory(text.encode()) for text in (PASSWD, GROUP))
            if self._tools.system_calls:
                held.append(_in_memory(self._tools.system_calls))
            words = "\0".join([*self._words(*held), ""])
            held.append(_in_memory(os.fsencode(words)))
        except BaseException:
            for file in held:
                os.close(file)
            raise
        return tuple(held), held[-1]

    def _words(self, passwd: int, group: int, system_calls: int | None = None) -> Iterator[str]:
        yield from ("--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts")
        yield from ("--unshare-cgroup-try", "--uid", NOBODY, "--gid", NOBODY, "--hostname", "bot")
        yield from ("--die-with-parent", "--cap-drop", "ALL")
        if self._tools.closes_namespaces:
            yield "--disable-userns"
        yield from self._host()
        yield from ("--ro-bind-data", str(passwd), "/etc/passwd", "--ro-bind-data", str(group), "/etc/group")
        yield from self._own()
        yield from ("--remount-ro", "/", "--chdir", INSIDE, "--clearenv")
        for name, value in self._environment.items():
            yield from ("--setenv", name, value)
        if system_calls is not None:
            yield from ("--seccomp", str(system_calls))

    def _host(self) -> Iterator[str]:
        size = str(self._limits.tmp_mb * MB)
        for way, path in system_places():
            target = os.readlink(path) if way == "--symlink" else path  # noqa: PTH115 - as it is written
            yield from (way, target, path)
        yield from ("--proc", "/proc", "--dev", "/dev", "--size", size, "--tmpfs", "/dev/shm", "--remount-ro", "/dev")  # noqa: S108
        yield from ("--size", size, "--tmpfs", TMP)
        for place in python_places():
            yield from ("--ro-bind", self._reachable(place), str(place))

    def _own(self) -> Iterator[str]:
        for folder in _socket_folders(self._environment):
            yield from ("--ro-bind", self._reachable(folder), str(folder))
        yield from ("--bind" if self._order.building else "--ro-bind", self._reachable(self._order.folder), INSIDE)

    def _reachable(self, path: Path) -> str:
        if not self._tools.root:
            return str(path)
        self.staged.append(path)
        return f"{TMP}/{len(self.staged) - 1}"


def _socket_folders(environment: Mapping[str, str]) -> list[Path]:
    """The folders of the Unix sockets that the bot is told of. A bound socket would go stale; its folder does not."""
    addresses = [value.removeprefix("unix:") for value in environment.values() if value.startswith("unix:/")]
    return [Path(address).parent for address in addresses]


def _in_memory(content: bytes) -> int:
    file = os.memfd_create("arena")
    os.write(file, content)
    os.lseek(file, 0, os.SEEK_SET)
    return file


def _hand_over(folder: Path, user: int) -> None:
    """Give a copy in which a build may write to the user that builds."""
    for place, folders, files in os.walk(folder):
        for path in (Path(place), *(Path(place, name) for name in (*folders, *files))):
            os.lchown(path, user, user)
