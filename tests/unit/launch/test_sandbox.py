"""The walls of the sandbox, tried from inside by real processes."""

from __future__ import annotations

import os
import signal
import socket
from dataclasses import replace
from pathlib import Path

import pytest

from arena.launch import NOT_CONFINED, Guard, Limits, Manifest, StartFailed, Unguarded, start
from arena.launch.probe import Host, found, survey
from arena.launch.sandbox import INSIDE
from tests.unit.launch.table import alive, bot, printed, python, shell, until

pytestmark = pytest.mark.needs("bwrap", "apt-get install bubblewrap")

SMALL = Limits(memory_mb=128, processes=32, files=64, tmp_mb=8)
NO_SANDBOX = Host(None, "bubblewrap is not installed; install it")


@pytest.fixture(autouse=True)
def cache_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Copies of bots that were built go where the test ends."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "bot").mkdir()
    return tmp_path / "bot"


async def told(manifest: Manifest, limits: Limits = SMALL, **environment: str) -> str:
    """All that a bot in the sandbox says before it ends."""
    process = await start(manifest, environment, wrapper=Guard(limits=limits))
    assert process.confinement.startswith("sandbox: ")
    await process.ended()
    return process.log_tail.strip()


def attempt(code: str) -> str:
    """Python code that tries something, and says how it went."""
    tried = code.replace("\n", "\n    ")
    return f"""import os, socket, sys
try:
    {tried}
    print('done')
except BaseException as error:
    print(type(error).__name__)
"""


def owner(pid: int) -> int:
    return Path(f"/proc/{pid}").stat().st_uid


def names_in(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def chmod(path: Path, to: int) -> None:
    path.chmod(to)


def test_this_host_has_a_sandbox() -> None:
    """The tests below say something only where bubblewrap works."""
    assert found().obstacle == ""


# ── what it sees ────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_its_own_folder_and_nothing_of_the_host(folder: Path) -> None:
    """A bot finds its files, and neither the folder above them, nor homes, nor what others keep in /tmp or /var."""
    (folder / "mine").touch()
    (folder.parent / "other").write_text("secret")
    places = f"{INSIDE} {folder.parent} /home /var /srv /boot /sys /tmp {Path.home()}/.cache"
    said = await told(shell(folder, f"ls -A {places} 2>&1; cat {folder.parent}/other"))
    assert "mine" in said
    assert "secret" not in said
    for gone in (str(folder.parent), "/home", "/var", "/srv", "/boot", "/sys", f"{Path.home()}/.cache"):
        assert f"cannot access '{gone}'" in said


async def test_files_of_the_host_in_etc(folder: Path) -> None:
    """The users of the host and their passwords are not for bots."""
    said = await told(shell(folder, "cat /etc/passwd; cat /etc/shadow /etc/hostname 2>&1; hostname"))
    assert said.splitlines()[0].startswith("bot:x:65534")
    assert said.splitlines()[-1] == "bot"
    assert said.count("No such file") == 2


async def test_it_is_nobody(folder: Path) -> None:
    """Inside it is a user without rights; outside, if root runs the arena, one that owns nothing at all."""
    process = await start(
        shell(folder, "id -u; grep CapEff /proc/self/status; echo ready; sleep 600"), {}, wrapper=Guard()
    )
    await printed(process)
    assert process.log_tail.splitlines()[:2] == ["65534", "CapEff:\t0000000000000000"]
    if os.getuid() == 0:
        assert owner(process.pid) not in (0, 65534)
    await process.stop()


async def test_no_other_process(folder: Path) -> None:
    """It sees its own processes, and no environment but its own."""
    said = await told(shell(folder, "ls /proc | grep -c '^[0-9]'; cat /proc/1/environ /proc/1/cmdline | tr '\\0' ' '"))
    count, rest = said.split("\n", 1)
    assert int(count) < 10
    assert "TOKEN" not in rest
    assert "PATH" not in rest


async def test_its_environment(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has what it was given and the usual, and nothing of the arena's own environment."""
    monkeypatch.setenv("AWS_SECRET", "hidden")
    said = await told(bot(folder, "env"), ARENA_TOKEN="abc")  # noqa: S106
    names = {line.split("=")[0] for line in said.splitlines()}
    assert "ARENA_TOKEN=abc" in said
    assert names - {"PWD", "SHLVL", "_"} == {
        "ARENA_TOKEN", "GRPC_ENABLE_FORK_SUPPORT", "HOME", "LANG", "LC_ALL", "PATH", "PYTHONUNBUFFERED",
    }  # fmt: skip


async def test_python_has_the_sdk(folder: Path) -> None:
    """A bot in Python imports the SDK and the rules, from wherever the arena has them."""
    assert await told(python(folder, "import arena_sdk, arena_rules, grpc; print('here')")) == "here"


@pytest.mark.parametrize("module", ["arena", "tests"])
async def test_python_has_not_the_platform_from_sources(folder: Path, module: str) -> None:
    """The platform that is run from a clone, and the database beside it, stay out of sight."""
    assert "ModuleNotFoundError" in await told(python(folder, f"import {module}.record"))


async def test_a_program_out_of_sight(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program elsewhere than in /usr is found once the organiser shows its folder, and else there is advice."""
    tool = tmp_path / "opt" / "bin" / "tool"
    tool.parent.mkdir(parents=True)
    tool.write_text("#!/bin/sh\necho working\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(tool.parent), prepend=os.pathsep)
    with pytest.raises(StartFailed, match="name further folders in ARENA_SANDBOX_SHOW"):
        await told(bot(folder, "tool"))
    monkeypatch.setenv("ARENA_SANDBOX_SHOW", str(tmp_path / "opt"))
    assert await told(bot(folder, "tool")) == "working"


# ── what it can change ──────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("place", [INSIDE, "/", "/etc", "/usr", "/dev", "/run", "/proc/sys/kernel/hostname"])
async def test_nothing_but_tmp_can_be_written(folder: Path, place: str) -> None:
    """Its own code, and all that it sees of the host, is read-only."""
    said = await told(
        python(folder, attempt(f"open('{place}' + ('' if 'proc' in '{place}' else '/x'), 'w').write('x')"))
    )
    assert said in ("OSError", "PermissionError", "FileNotFoundError")


@pytest.mark.parametrize("place", ["/tmp", "/dev/shm"])  # noqa: S108 - those of the bot
async def test_room_to_write_is_small(folder: Path, place: str) -> None:
    """What it writes ends at the limit, in one file or in many, with an error that a program can understand."""
    fill = f"for n in range(40): open(f'{place}/{{n}}', 'wb').write(bytes(1024 * 1024))"
    assert await told(python(folder, attempt(fill))) == "OSError"


async def test_nothing_written_is_there_for_the_next(folder: Path) -> None:
    """Two runs of a bot cannot talk through files."""
    code = "ls -A /tmp /dev/shm; touch /tmp/x /dev/shm/x"
    assert await told(shell(folder, code)) == await told(shell(folder, code))


# ── whom it can reach ───────────────────────────────────────────────────────────────────────────────────────────────


async def test_no_network(folder: Path) -> None:
    """Neither TCP nor UDP leaves the sandbox, not even to the same machine."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        assert await told(python(folder, attempt(f"socket.create_connection(('127.0.0.1', {port}), 2)"))) != "done"
    for address in ("8.8.8.8", "127.0.0.1"):
        send = f"s.connect(('{address}', 53)); s.send(b'x'); s.recv(9)"
        code = f"s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\n{send}"
        assert await told(python(folder, attempt(code))) != "done"


async def test_no_abstract_socket(folder: Path) -> None:
    """Sockets without a file, which namespaces of files do not hide, are out of reach too."""
    name = f"\0arena-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(name)
        server.listen()
        code = f"socket.socket(socket.AF_UNIX).connect({name!r})"
        assert await told(python(folder, attempt(code))) == "ConnectionRefusedError"


async def test_its_own_socket_and_no_other(folder: Path, tmp_path: Path) -> None:
    """It reaches the socket that it was told of; the socket of the next seat is not even there."""
    with socket.socket(socket.AF_UNIX) as own, socket.socket(socket.AF_UNIX) as other:
        for number, server in enumerate((own, other)):
            (tmp_path / str(number)).mkdir()
            server.bind(str(tmp_path / str(number) / "s"))
            (tmp_path / str(number) / "s").chmod(0o666)
            server.listen()
        mine, theirs = (str(tmp_path / str(number) / "s") for number in range(2))
        for address, outcome in ((mine, "done"), (theirs, "FileNotFoundError")):
            code = f"socket.socket(socket.AF_UNIX).connect({address!r})"
            assert await told(python(folder, attempt(code)), ARENA_ADDRESS=f"unix:{mine}") == outcome


@pytest.mark.parametrize(
    "code",
    [
        "import ctypes; assert ctypes.CDLL(None).unshare(0x10000000) == 0",  # a user namespace
        "import ctypes; assert ctypes.CDLL(None).ptrace(0, 0, 0, 0) == 0",
        "import ctypes; assert ctypes.CDLL(None).shmget(0, 4096, 0o1600) >= 0",
        "import ctypes; assert ctypes.CDLL(None).mount(b'x', b'/tmp', b'tmpfs', 0, None) == 0",
        "import ctypes; assert ctypes.CDLL(None).syscall(425, 8, ctypes.create_string_buffer(256)) >= 0",  # io_uring
        "socket.socket(40, socket.SOCK_STREAM)",  # AF_VSOCK
        "socket.socket(socket.AF_PACKET, socket.SOCK_RAW)",
        "os.kill(1, 9)\nassert not os.path.exists('/proc/1')",
        "os.setuid(0)",
        "os.chroot('/tmp')",
    ],
)
async def test_calls_that_lead_further(folder: Path, code: str) -> None:
    """What attacks on kernels begin with is refused, and the bot lives to say so."""
    assert await told(python(folder, attempt(code))) in ("AssertionError", "PermissionError", "OSError")


# ── how much it can use ─────────────────────────────────────────────────────────────────────────────────────────────


FORK_BOMB = """
import os, time
born = 0
try:
    while os.fork():
        born += 1
    time.sleep(600)
except OSError:
    print("stopped at", born, "processes", flush=True)
time.sleep(600)
"""

MEMFD_BOMB = """
import os
files = [os.memfd_create("x") for _ in range(40)]
for file in files:
    for _ in range(4):
        os.write(file, bytes(2**20))
"""


async def test_processes_are_limited(folder: Path) -> None:
    """A bomb of processes ends at the limit, while another bot beside it still starts processes."""
    process = await start(python(folder, FORK_BOMB), {}, wrapper=Guard(limits=SMALL))
    await printed(process, "processes")
    assert int(process.log_tail.split()[-2]) < SMALL.processes
    assert await told(shell(folder, "for n in 1 2 3 4 5; do (echo $n); done")) == "1\n2\n3\n4\n5"
    await process.stop()


@pytest.mark.parametrize(
    "bomb",
    [
        "x = bytearray(400 * 1024 * 1024)",
        "import os; [os.fork() for _ in range(3)]; x = bytearray(60 * 1024 * 1024); import time; time.sleep(5)",
        MEMFD_BOMB,
    ],
    ids=["single", "forked", "memfd"],
)
async def test_memory_is_limited(folder: Path, bomb: str) -> None:
    """However it is taken, the memory of all processes of a bot together is bounded, and that is known afterwards."""
    tools = found().tools
    if tools is None or "memory" not in tools.controllers:
        pytest.skip("this host gives us no memory control group")
    process = await start(python(folder, bomb), {}, wrapper=Guard(limits=SMALL))
    ending = await process.ended()
    assert process.memory_kills > 0
    assert ending.usage.peak_kb <= SMALL.memory_mb * 1024
    if "fork" not in bomb:
        assert ending.signal == signal.SIGKILL


async def test_open_files_are_limited(folder: Path) -> None:
    """A bot cannot hold more files open than it may."""
    assert await told(python(folder, attempt("held = [open('/dev/null') for _ in range(100)]"))) == "OSError"


async def test_memory_per_process_without_groups(folder: Path) -> None:
    """Where the host gives no control group, at least each process is bounded, and the record says that."""
    tools = found().tools
    assert tools is not None
    guard = Guard(limits=SMALL, look=lambda: Host(replace(tools, groups=None)))
    process = await start(python(folder, attempt("x = bytearray(400 * 1024 * 1024)")), {}, wrapper=guard)
    await process.ended()
    assert process.log_tail.strip() == "MemoryError"
    assert "128 MB per process" in process.confinement


# ── how it ends ─────────────────────────────────────────────────────────────────────────────────────────────────────

DAEMON = """
import os, signal, time
for name in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT): signal.signal(name, signal.SIG_IGN)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(600)
    os._exit(0)
print('ready', flush=True)
"""


def everybody(pid: int) -> set[int]:
    """A process and its descendants."""
    lists = Path(f"/proc/{pid}/task").glob("*/children")
    return {pid}.union(*(everybody(int(child)) for path in lists for child in path.read_text().split()))


@pytest.mark.parametrize("end", ["stays", "leaves"])
async def test_nothing_survives_it(folder: Path, end: str) -> None:
    """A bot that hides a process in a session of its own, deaf to all signals, leaves nothing, stopped or gone."""
    wait = "time.sleep(600)" if end == "stays" else "sys.stdin.read(); time.sleep(0.2)"
    process = await start(python(folder, f"import sys\n{DAEMON}{wait}"), {}, wrapper=Guard())
    await printed(process)
    family = everybody(process.pid)
    assert len(family) >= 4
    await (process.stop(grace=0.1) if end == "stays" else process.ended())
    await until(lambda: not any(map(alive, family)), seconds=2)


async def test_a_kill_at_any_moment(folder: Path) -> None:
    """Killed a moment after its start, whenever that is, a bot is gone with all its walls."""
    families: set[int] = set()
    for moment in range(12):
        process = await start(shell(folder, "sleep 600"), {}, wrapper=Guard())
        for _ in range(moment):
            families |= everybody(process.pid)
        await process.stop(grace=0)
        families.add(process.pid)
    await until(lambda: not any(map(alive, families)), seconds=2)


@pytest.mark.parametrize(("code", "said"), [("exit 7", (7, 0)), ("kill -SEGV $$", (None, signal.SIGSEGV))])
async def test_its_end_is_known(folder: Path, code: str, said: tuple[int | None, int]) -> None:
    """Exit statuses and signals come through the walls."""
    process = await start(shell(folder, code), {}, wrapper=Guard())
    ending = await process.ended()
    assert (ending.exit_status, ending.signal) == said


async def test_one_that_stopped_itself(folder: Path) -> None:
    """A bot that is stopped, and not merely slow, can be told from others."""
    process = await start(shell(folder, "echo ready; kill -STOP $$"), {}, wrapper=Guard())
    await until(lambda: process.stopped)
    sleeper = await start(shell(folder, "echo ready; sleep 600"), {}, wrapper=Guard())
    await printed(sleeper)
    assert not sleeper.stopped
    await process.stop(grace=0)
    await sleeper.stop(grace=0)


async def test_no_group_is_left(folder: Path) -> None:
    """Control groups go with the bots that were in them."""
    tools = found().tools
    assert tools is not None
    await told(shell(folder, "true"))
    for home in set(tools.groups.homes.values() if tools.groups else ()):
        assert not list(home.glob(f"arena-{os.getpid()}-*"))


# ── builds ──────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_build_in_the_sandbox(folder: Path) -> None:
    """A build writes to a copy, without network or host; the bot's own folder stays as it is, and it is built once."""
    (folder / "source").write_text("owl")
    build = f"cp source made; mkdir build; ls {folder} >>made 2>&1; echo x >>build/count; rm source"
    manifest = bot(folder, "cat", "made", "build/count", build=("sh", "-c", build))
    said = await told(manifest)
    assert said.startswith("owl")
    assert "cannot access" in said
    assert names_in(folder) == ["source"]
    assert (await told(manifest)).endswith("x")


async def test_a_build_that_fails(folder: Path) -> None:
    """Its author reads why, and nothing of it is kept."""
    with pytest.raises(StartFailed, match="no such shelf"):
        await told(bot(folder, "cat", "made", build=("sh", "-c", "echo no such shelf; exit 2")))
    assert names_in(folder.parent / "cache" / "arena" / "bots") == []


async def test_a_build_that_leaves_links(folder: Path, tmp_path: Path) -> None:
    """Links that lead out of the folder lead nowhere, and what they name is not touched."""
    (tmp_path / "precious").write_text("secret")
    (tmp_path / "precious").chmod(0o600)
    manifest = bot(folder, "cat", "out", build=("sh", "-c", f"ln -s {tmp_path / 'precious'} out"))
    assert "secret" not in await told(manifest)
    assert mode(tmp_path / "precious") == 0o600


async def test_a_folder_for_nobody_else(folder: Path) -> None:
    """A bot whose files only their owner may read runs all the same."""
    (folder / "bot.py").write_text("print('played')")
    (folder / "bot.py").chmod(0o600)
    chmod(folder, 0o700)
    assert await told(bot(folder, "python", "bot.py")) == "played"
    assert mode(folder) == 0o700


# ── who is guarded ──────────────────────────────────────────────────────────────────────────────────────────────────


async def test_ones_own_bot_without_a_sandbox(folder: Path) -> None:
    """Where there can be none, a bot of one's own runs in the open, and the person is told so once."""
    told_to: list[str] = []
    guard = Guard(notice=told_to.append, look=lambda: NO_SANDBOX)
    for _ in range(2):
        process = await start(shell(folder, "true"), {}, wrapper=guard)
        await process.ended()
        assert process.confinement == NOT_CONFINED
    (sentence,) = told_to
    assert "without a sandbox" in sentence
    assert "bubblewrap is not installed" in sentence


async def test_somebody_elses_bot_without_a_sandbox(folder: Path) -> None:
    """A bot of somebody else is refused then, with the sentence that says what to install, unless it is trusted."""
    theirs = replace(shell(folder, "true"), trusted=False)
    with pytest.raises(Unguarded, match=r"bubblewrap is not installed; install it; or say --trust"):
        await start(theirs, {}, wrapper=Guard(look=lambda: NO_SANDBOX))
    process = await start(theirs, {}, wrapper=Guard(trust=True, look=lambda: NO_SANDBOX))
    assert (await process.ended()).exit_status == 0


def test_switching_it_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever needs more for a bot of their own can do without the sandbox."""
    monkeypatch.setenv("ARENA_SANDBOX", "off")
    assert survey().tools is None
