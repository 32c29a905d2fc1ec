"""Who has the floor when many bots have something to think about."""

from __future__ import annotations

import asyncio

from arena.referee.floor import Floor

PATIENCE = 5.0


async def wants(floor: Floor, holder: object) -> asyncio.Task[None]:
    """Somebody who has got in line for the floor."""
    task = asyncio.create_task(floor.take(holder))
    await asyncio.sleep(0)
    return task


async def test_one_at_a_time_in_order() -> None:
    """The floor goes from one to the next in the order in which they came."""
    floor = Floor()
    await floor.take("ann")
    bob, cleo = await wants(floor, "bob"), await wants(floor, "cleo")
    assert not bob.done()
    floor.give_up("ann")
    await asyncio.wait_for(bob, PATIENCE)
    assert not cleo.done()
    floor.give_up("bob")
    await asyncio.wait_for(cleo, PATIENCE)


async def test_who_has_it_may_go_on() -> None:
    """Whoever has the floor gets it again at once, and giving up what one does not have changes nothing."""
    floor = Floor()
    await floor.take("ann")
    await asyncio.wait_for(floor.take("ann"), PATIENCE)
    bob = await wants(floor, "bob")
    floor.give_up("cleo")
    await asyncio.sleep(0)
    assert not bob.done()
    floor.give_up("ann")
    await asyncio.wait_for(bob, PATIENCE)


async def test_who_has_left_the_line_is_passed_over() -> None:
    """Somebody who goes away while waiting, even at the last moment, does not take the floor along."""
    floor = Floor()
    await floor.take("ann")
    bob, cleo = await wants(floor, "bob"), await wants(floor, "cleo")
    bob.cancel()
    floor.give_up("ann")  # before bob has had a chance to get out of the line
    await asyncio.wait_for(cleo, PATIENCE)
    assert bob.cancelled()


async def test_the_floor_is_free_again() -> None:
    """When nobody waits, the next one to come gets the floor."""
    floor = Floor()
    await floor.take("ann")
    bob = await wants(floor, "bob")
    bob.cancel()
    floor.give_up("ann")
    await asyncio.wait({bob})
    await asyncio.wait_for(floor.take("cleo"), PATIENCE)


async def test_who_leaves_with_the_floor_in_hand_passes_it_on() -> None:
    """Somebody who goes away in the moment of getting the floor does not keep it."""
    floor = Floor()
    await floor.take("ann")
    bob, cleo = await wants(floor, "bob"), await wants(floor, "cleo")
    floor.give_up("ann")
    bob.cancel()
    await asyncio.wait_for(cleo, PATIENCE)
    assert bob.cancelled()
