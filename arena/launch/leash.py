"""Run a command that dies with the arena: ``python -I -S leash.py ARENA_PID [NAME=VALUE...] -- COMMAND...``.

The arena may be killed in a way that leaves it no time to stop its bots (SIGKILL, out of memory). So each bot is
started through this program, which asks the kernel to kill it when its parent dies, and then becomes the bot: the
request outlives exec. It is a program of its own because the request must be made between fork and exec, and a process
that runs gRPC must not run Python there. It costs about 8 ms per start. The kernel watches the *thread* that started
the bot, so an event loop that starts bots must live in a thread that outlives them.

It also asks for the same memory layout at every start. Bots that share a core then run the same libraries at the same
addresses, which processors reward: a match turn measured 165 us without and 125 us with it. And what a bot derives from
addresses, as the order of a Python set of objects, is the same when the game is played again. What is given up is a
hardening against strangers who send a program bad data; a bot hears from nobody but the referee.

What else must be done between fork and exec for a sandbox is done here, too:

join=FILE      enter a control group, by one of its doors
limit=NAME:N   set a limit of the kernel, such as NOFILE:512
stage=PATH     (root) show this folder to the command as /tmp/0, the next one as /tmp/1 and so on
user=N         (root) become this user, and nobody else's group

Run by path, not imported, so that it loads next to nothing.
"""

from __future__ import annotations

import os
import signal
import sys

PR_SET_PDEATHSIG = 1
ADDR_NO_RANDOMIZE = 0x40000
ASK_ONLY = 0xFFFFFFFF
CLONE_NEWNS = 0x20000
MS_BIND, MS_REC, MS_PRIVATE = 0x1000, 0x4000, 0x40000
STAGE = "/tmp"  # noqa: S108 - in a mount namespace of our own, where we cover it before we write to it
CANNOT_RUN = 127
"""The exit status that shells give for a command that cannot be run."""


def die_with_parent(arena: int) -> None:
    try:
        import ctypes
    except ImportError:  # A Python built without libffi. Bots still end when they lose their connection.
        return
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != arena:  # It died before the request was made.
        sys.exit(CANNOT_RUN)


def ask_for_the_same_layout() -> None:
    """A request: a container may forbid it, and the bot plays all the same."""
    try:
        import ctypes
    except ImportError:
        return
    kernel = ctypes.CDLL(None)
    kernel.personality(kernel.personality(ASK_ONLY) | ADDR_NO_RANDOMIZE)


def limit(setting: str) -> None:
    import resource

    name, _, value = setting.partition(":")
    kind = getattr(resource, f"RLIMIT_{name}")
    most = resource.getrlimit(kind)[1]
    number = int(value) if most == resource.RLIM_INFINITY else min(int(value), most)
    resource.setrlimit(kind, (number, number))


def join(file: str) -> None:
    with open(file, "w") as group:  # noqa: PTH123 - pathlib takes as long to load as all the rest
        group.write("0")  # which is ourselves: a number would be looked up, and the kernel waits for that


def show(paths: list[str]) -> None:
    """Make the paths reachable for a user who may not even enter the folders above them."""
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)

    def mount(source: str, target: str, kind: str | None, flags: int, data: str | None = None) -> None:
        words = [word.encode() if word else None for word in (source, target, kind)]
        if libc.mount(*words, ctypes.c_ulong(flags), data.encode() if data else None):
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), target)

    if libc.unshare(CLONE_NEWNS):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), "a mount namespace")
    mount("none", "/", None, MS_REC | MS_PRIVATE)
    handles = [os.open(path, os.O_PATH | os.O_CLOEXEC) for path in paths]
    mount("stage", STAGE, "tmpfs", 0, "mode=755,size=64k")
    for number, handle in enumerate(handles):
        place = f"{STAGE}/{number}"
        os.mkdir(place)  # noqa: PTH102 - as above
        mount(f"/proc/self/fd/{handle}", place, None, MS_BIND | MS_REC)


def become_user(number: int) -> None:
    os.setgroups([])
    os.setresgid(number, number, number)
    os.setresuid(number, number, number)


def prepare(arena: int, settings: list[str]) -> None:
    staged = []
    for setting in settings:
        name, _, value = setting.partition("=")
        if name == "join":
            join(value)
        elif name == "limit":
            limit(value)
        elif name == "stage":
            staged.append(value)
        elif name == "user":
            show(staged)
            become_user(int(value))
            die_with_parent(arena)  # The kernel forgets the request when the user changes.


def become(command: list[str]) -> None:
    """Python ignores these two signals, and programs inherit what is ignored: a bot must find them as usual."""
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    os.execvp(command[0], command)  # noqa: S606 - running the command as it was given is the purpose


def main(arena: int, words: list[str]) -> None:
    settings, command = words[: words.index("--")], words[words.index("--") + 1 :]
    die_with_parent(arena)
    ask_for_the_same_layout()
    try:
        prepare(arena, settings)
    except OSError as error:
        sys.stderr.write(f"arena: cannot confine the bot: {error}\n")
        sys.exit(CANNOT_RUN)
    try:
        become(command)
    except OSError as error:
        hint = "; if it is a script, its first line must name an installed interpreter, as in #!/bin/sh"
        sys.stderr.write(f"arena: cannot run {command[0]!r}: {error.strerror}{hint}\n")
        sys.exit(CANNOT_RUN)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
