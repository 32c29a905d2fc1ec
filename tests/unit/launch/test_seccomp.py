"""The system call filter, run by hand as the kernel would."""

from __future__ import annotations

import errno
import struct

import pytest

from arena.launch.seccomp import MISSING, NUMBERS, seccomp_filter

ALLOWED, KILLED = 0x7FFF0000, 0x80000000
ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}


def verdict(machine: str, number: int, *arguments: int, architecture: int | None = None) -> int:
    """What the filter answers to a call."""
    program = seccomp_filter(machine)
    assert program is not None
    steps = list(struct.iter_unpack("=HBBI", program))
    data = struct.pack("=IIQ6Q", number, architecture or ARCHITECTURES[machine][1], 0, *[*arguments, *[0] * 6][:6])
    at = value = 0
    while True:
        code, if_so, if_not, operand = steps[at]
        at += 1
        if code == 0x20:
            (value,) = struct.unpack_from("=I", data, operand)
        elif code == 0x06:
            return int(operand)
        else:
            holds = {0x15: value == operand, 0x35: value >= operand, 0x45: bool(value & operand)}[code]
            at += if_so if holds else if_not


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_every_forbidden_call_is_refused(machine: str) -> None:
    """Each call of the list gives its error, and reading a file does not."""
    column = ARCHITECTURES[machine][0]
    for calls, error in ((NUMBERS, errno.EPERM), (MISSING, errno.ENOSYS)):
        for name, numbers in calls.items():
            if numbers[column] >= 0:
                assert verdict(machine, numbers[column]) == 0x00050000 | error, name
    assert verdict(machine, (0, 63)[column]) == ALLOWED


def test_threads_may_be_made_and_namespaces_not() -> None:
    """The same call makes both; what it is asked for decides."""
    assert verdict("x86_64", 56, 0x3D0F00) == ALLOWED
    assert verdict("x86_64", 56, 0x10000000) == 0x00050000 | errno.EPERM


def test_families_of_sockets() -> None:
    """Local and internet sockets may be made, and no others."""
    allowed = [family for family in range(50) if verdict("x86_64", 41, family) == ALLOWED]
    assert allowed == [1, 2, 10, 16]


def test_other_ways_into_the_kernel() -> None:
    """Calls by the conventions of another architecture end the process; those of x32 do not exist."""
    assert verdict("x86_64", 0, architecture=0x40000003) == KILLED
    assert verdict("x86_64", 0x40000000 + 520) == 0x00050000 | errno.ENOSYS
    assert seccomp_filter("riscv64") is None
