"""The system calls that a bot does not get: a filter for the kernel, as bytes that bubblewrap hands over.

It forbids what no game needs and attacks on kernels begin with: namespaces, mounts, tracing, keys, BPF, io_uring,
System V memory (which no limit of a process counts), and sockets other than local and internet ones: AF_VSOCK above
all, which leads out of a virtual machine and is stopped by no network namespace. A forbidden call fails as one that
somebody has no right to, so that libraries fall back to something else instead of dying.
"""

from __future__ import annotations

import errno
import platform
import struct
from collections.abc import Iterator
from typing import Final

NUMBERS: Final[dict[str, tuple[int, int]]] = {
    # name: (x86-64, aarch64); -1 where there is no such call
    "acct": (163, 89),
    "add_key": (248, 217),
    "bpf": (321, 280),
    "chroot": (161, 51),
    "clock_adjtime": (305, 266),
    "clock_settime": (227, 112),
    "delete_module": (176, 106),
    "fanotify_init": (300, 262),
    "finit_module": (313, 273),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fsopen": (430, 430),
    "fspick": (433, 433),
    "init_module": (175, 105),
    "ioperm": (173, -1),
    "iopl": (172, -1),
    "kcmp": (312, 272),
    "kexec_file_load": (320, 294),
    "kexec_load": (246, 104),
    "keyctl": (250, 219),
    "lookup_dcookie": (212, 18),
    "memfd_secret": (447, 447),
    "modify_ldt": (154, -1),
    "mount": (165, 40),
    "mount_setattr": (442, 442),
    "move_mount": (429, 429),
    "msgget": (68, 186),
    "name_to_handle_at": (303, 264),
    "nfsservctl": (180, 42),
    "open_by_handle_at": (304, 265),
    "open_tree": (428, 428),
    "perf_event_open": (298, 241),
    "pidfd_getfd": (438, 438),
    "pivot_root": (155, 41),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "ptrace": (101, 117),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "reboot": (169, 142),
    "request_key": (249, 218),
    "semget": (64, 190),
    "setdomainname": (171, 162),
    "sethostname": (170, 161),
    "setns": (308, 268),
    "settimeofday": (164, 170),
    "shmat": (30, 196),
    "shmget": (29, 194),
    "swapoff": (168, 225),
    "swapon": (167, 224),
    "syslog": (103, 116),
    "umount2": (166, 39),
    "unshare": (272, 97),
    "userfaultfd": (323, 282),
    "vhangup": (153, 58),
}
"""Calls that fail with EPERM."""

MISSING: Final[dict[str, tuple[int, int]]] = {
    "clone3": (435, 435),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "io_uring_setup": (425, 425),
}
"""Calls that fail with ENOSYS, as on an older kernel: what clone3 is asked for cannot be seen by a filter."""

CLONE: Final = (56, 220)
IOCTL: Final = (16, 29)
SOCKET: Final = (41, 198)

NEW_NAMESPACES: Final = 0x7E020000
"""CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET."""
TERMINAL_TRICKS: Final = (0x5412, 0x541C)
"""TIOCSTI and TIOCLINUX, which put words into the mouth of whoever sits at the terminal."""
FAMILIES: Final = (1, 2, 10, 16)
"""AF_UNIX, AF_INET, AF_INET6, AF_NETLINK: all of them end at the walls of the sandbox."""

_ARCHITECTURES: Final = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
_X32: Final = 0x40000000

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_NUMBER, _ARCHITECTURE, _FIRST, _SECOND = 0, 4, 16, 24


def seccomp_filter(machine: str | None = None) -> bytes | None:
    """The program for this kind of machine; None where its system calls are not known to us."""
    known = _ARCHITECTURES.get(machine or platform.machine())
    return b"".join(_program(*known)) if known else None


def _program(column: int, architecture: int) -> Iterator[bytes]:
    denied, missing = _ERRNO | errno.EPERM, _ERRNO | errno.ENOSYS
    yield from (_step(_LOAD, _ARCHITECTURE), _step(_EQUAL, architecture, 1, 0), _step(_RETURN, _KILL))
    yield _step(_LOAD, _NUMBER)
    if column == 0:  # the third way of calling an x86-64 kernel, with numbers of its own
        yield from (_step(_AT_LEAST, _X32, 0, 1), _step(_RETURN, missing))
    for calls, answer in ((NUMBERS, denied), (MISSING, missing)):
        for numbers in calls.values():
            if numbers[column] >= 0:
                yield from (_step(_EQUAL, numbers[column], 0, 1), _step(_RETURN, answer))
    yield from _where(CLONE[column], _FIRST, [_step(_ANY_BIT, NEW_NAMESPACES, 0, 1), _step(_RETURN, denied)])
    tricks = [step for trick in TERMINAL_TRICKS for step in (_step(_EQUAL, trick, 0, 1), _step(_RETURN, denied))]
    yield from _where(IOCTL[column], _SECOND, tricks)
    families = [step for family in FAMILIES for step in (_step(_EQUAL, family, 0, 1), _step(_RETURN, _ALLOW))]
    yield from _where(SOCKET[column], _FIRST, [*families, _step(_RETURN, denied)])
    yield _step(_RETURN, _ALLOW)


def _where(number: int, argument: int, steps: list[bytes]) -> Iterator[bytes]:
    """Look at the lower half of an argument when it is this call, and have it allowed if no step decides."""
    yield _step(_EQUAL, number, 0, len(steps) + 2)
    yield from (_step(_LOAD, argument), *steps, _step(_RETURN, _ALLOW))


def _step(code: int, value: int, if_so: int = 0, if_not: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_so, if_not, value)
