"""Whose fault a time-out is."""

from __future__ import annotations

import pytest

from arena.tournament.watchdog import TICK_NS, Times, Watchdog, stolen_ns

MS = 1_000_000
SECOND = 1000 * MS


class Machine:
    """A machine whose clock and whose host are moved by hand, and a bot on it that thinks."""

    def __init__(self) -> None:
        self.now_ns = SECOND
        self.stolen_ns = 0
        self.asked_ns = 0
        self.ran_ns = self.waited_ns = 0
        self.dog = Watchdog(lambda: [self], lambda: self.now_ns, lambda: self.stolen_ns)
        self.dog._due_ns = self.now_ns + TICK_NS

    def times(self) -> Times:
        return Times(self.ran_ns, self.waited_ns)

    def pass_time(self, ns: int, *, ran: float = 1.0, waited: float = 0.0) -> None:
        """Time goes by, and the watchdog looks about as often as it should."""
        for _ in range(ns // TICK_NS):
            self.now_ns += TICK_NS
            self.ran_ns += int(ran * TICK_NS)
            self.waited_ns += int(waited * TICK_NS)
            self.dog.look()
            self.dog._due_ns = self.now_ns + TICK_NS

    def stand_still(self, ns: int) -> None:
        """Time goes by, and nobody looks."""
        self.now_ns += ns


@pytest.fixture
def machine() -> Machine:
    return Machine()


def test_a_slow_bot_has_no_excuse(machine: Machine) -> None:
    """A bot that ran all the time was late by itself."""
    machine.asked_ns = machine.now_ns
    machine.pass_time(SECOND)
    assert machine.dog.excuse(SECOND, machine) == ""


def test_a_sleeping_bot_has_no_excuse(machine: Machine) -> None:
    """A bot that neither ran nor wanted to was late by itself."""
    machine.asked_ns = machine.now_ns
    machine.pass_time(SECOND, ran=0)
    assert machine.dog.excuse(SECOND, machine) == ""


def test_the_machine_stood_still(machine: Machine) -> None:
    """When the referee itself could not run, the bot is excused, and the sentence says for how long."""
    machine.asked_ns = machine.now_ns
    machine.pass_time(600 * MS)
    machine.stand_still(400 * MS)
    assert machine.dog.excuse(SECOND, machine).startswith("The machine stood still for 350 ms of the 1,000 ms")


def test_what_was_before_the_turn_does_not_count(machine: Machine) -> None:
    """A stall before the bot was asked is no excuse."""
    machine.stand_still(400 * MS)
    machine.pass_time(SECOND)
    machine.asked_ns = machine.now_ns
    machine.pass_time(500 * MS)
    assert machine.dog.excuse(500 * MS, machine) == ""


def test_the_host_took_the_time(machine: Machine) -> None:
    """Time that went to other guests of the host is not the bot's."""
    machine.asked_ns = machine.now_ns
    machine.pass_time(500 * MS)
    machine.stolen_ns += 300 * MS
    machine.pass_time(500 * MS)
    assert "stood still for 300 ms" in machine.dog.excuse(SECOND, machine)


def test_the_bot_had_to_wait_for_a_processor(machine: Machine) -> None:
    """On a crowded machine the kernel says that the bot wanted to run and could not."""
    machine.asked_ns = machine.now_ns
    machine.pass_time(SECOND, ran=0.5, waited=0.5)
    assert "waited for a processor for 475 ms" in machine.dog.excuse(SECOND, machine)


def test_threads_that_wait_for_one_another_are_no_excuse(machine: Machine) -> None:
    """A bot cannot excuse itself by starting more threads than it has cores."""
    machine.asked_ns = machine.now_ns
    machine.pass_time(SECOND, ran=1.0, waited=20.0)
    assert machine.dog.excuse(SECOND, machine) == ""


def test_an_earlier_turn_does_not_count(machine: Machine) -> None:
    """What a bot waited in an earlier turn does not excuse it in this one."""
    machine.asked_ns = machine.now_ns
    machine.pass_time(SECOND, ran=0, waited=1.0)
    machine.asked_ns = machine.now_ns
    machine.pass_time(SECOND, ran=1.0)
    assert machine.dog.excuse(SECOND, machine) == ""


def test_what_the_host_takes_only_grows() -> None:
    """The time that the host took is counted from the start of the machine."""
    assert 0 <= stolen_ns() <= stolen_ns()
