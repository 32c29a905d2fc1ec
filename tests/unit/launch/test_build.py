"""The build step of a bot."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from arena.launch import BotProcess, Launch, Manifest, Order, StartFailed, build, start
from arena.launch.command import Bare
from tests.unit.launch.table import bot, group, until


def built_by(folder: Path, code: str) -> Manifest:
    """A bot that shows what its build, some shell commands, has made."""
    return bot(folder, "cat", "made", build=("sh", "-c", code))


async def finished(manifest: Manifest) -> BotProcess:
    process = await start(manifest, {"ARENA_TOKEN": "abc"})
    await process.ended()
    return process


async def test_build_comes_before_the_start(tmp_path: Path) -> None:
    """The bot finds what its build has made."""
    assert (await finished(built_by(tmp_path, "echo owl > made"))).log_tail == "owl\n"


async def test_build_runs_once(tmp_path: Path) -> None:
    """However often and at whatever times a bot is started, it is built once."""
    manifest = built_by(tmp_path, "echo owl >> made")
    await asyncio.gather(*(finished(manifest) for _ in range(4)))
    assert (await finished(manifest)).log_tail == "owl\n"


async def test_build_is_at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A compiler finds its caches at home, but not the bot's token."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    manifest = built_by(tmp_path, 'echo "$HOME $ARENA_TOKEN" > made')
    assert (await finished(manifest)).log_tail == f"{tmp_path / 'home'} \n"


async def test_wrapper_holds_for_the_build_too(tmp_path: Path) -> None:
    """A sandbox is put around the build as well: it is the bot author's code too."""
    seen: list[tuple[str, bool]] = []

    class Watcher(Bare):
        def __call__(self, order: Order) -> Launch:
            seen.append((order.command[0], order.building))
            return super().__call__(order)

    process = await start(built_by(tmp_path, "echo owl > made"), {}, wrapper=Watcher())
    await process.ended()
    assert seen == [("sh", True), ("cat", False)]


async def test_build_that_fails(tmp_path: Path) -> None:
    """The author reads how the build ended and the last that it printed; all of that is at hand too."""
    manifest = built_by(tmp_path, "echo first; echo 'bot.c:3: no such shelf' >&2; exit 2")
    with pytest.raises(StartFailed, match=r"its build .* exited with status 2; .* bot\.c:3: no such shelf$") as caught:
        await start(manifest, {})
    assert caught.value.log_tail == "first\nbot.c:3: no such shelf\n"


async def test_build_that_failed_is_tried_again(tmp_path: Path) -> None:
    """After the author has mended it, the bot starts."""
    manifest = built_by(tmp_path, "cp source made")
    with pytest.raises(StartFailed):
        await start(manifest, {})
    (tmp_path / "source").write_text("owl")
    assert (await finished(manifest)).log_tail == "owl"


async def test_build_without_its_program(tmp_path: Path) -> None:
    """A compiler that is not installed is named."""
    with pytest.raises(StartFailed, match="no-such-compiler was not found"):
        await start(bot(tmp_path, "true", build=("no-such-compiler",)), {})


async def test_build_that_never_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A build that hangs is given up, and leaves nothing running."""
    monkeypatch.setattr(build, "LIMIT", 0.3)
    with pytest.raises(StartFailed, match="did not end within 0 s"):
        await start(built_by(tmp_path, "echo $$ > leader; sleep 600 & wait"), {})
    leader = int((tmp_path / "leader").read_text())
    await until(lambda: group(leader) == set())


async def test_cancelled_build_leaves_nothing(tmp_path: Path) -> None:
    """Who interrupts a build leaves none of its processes behind, and the next start builds again."""
    manifest = built_by(tmp_path, "echo owl >> made; echo $$ > leader; test -e quick || sleep 600")
    starting = asyncio.create_task(start(manifest, {}))
    await until(lambda: (tmp_path / "leader").exists() and (tmp_path / "leader").read_text())
    starting.cancel()
    await asyncio.wait({starting})
    leader = int((tmp_path / "leader").read_text())
    await until(lambda: group(leader) == set())
    (tmp_path / "quick").touch()
    assert (await finished(manifest)).log_tail == "owl\nowl\n"
