"""Where control groups can be made, on hosts of both versions: played with folders that look like theirs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from arena.launch.cgroup import Groups, find_groups
from arena.launch.limits import Limits


def host(folder: Path, mounts: str, places: str) -> Path:
    """What /proc/self says of groups."""
    (folder / "proc").mkdir()
    (folder / "proc" / "mountinfo").write_text(mounts.format(folder=folder))
    (folder / "proc" / "cgroup").write_text(places)
    return folder / "proc"


V2 = "30 23 0:26 / {folder}/tree rw,nosuid - cgroup2 cgroup2 rw\n"


def group(folder: Path, controllers: str, delegated: str, members: str = "") -> None:
    folder.mkdir(parents=True)
    (folder / "cgroup.controllers").write_text(controllers)
    (folder / "cgroup.subtree_control").write_text(delegated)
    (folder / "cgroup.procs").write_text(members)


def test_the_group_above_will_do_where_it_is_open(tmp_path: Path) -> None:
    """In a terminal of a desktop, groups are made beside the one of the terminal."""
    group(tmp_path / "tree" / "app.slice", "cpu memory pids", "cpu memory pids")
    group(tmp_path / "tree" / "app.slice" / "terminal.scope", "cpu memory pids", "", "1\n2\n")
    found = find_groups(host(tmp_path, V2, "0::/app.slice/terminal.scope\n"))
    assert found == Groups(2, dict.fromkeys(("memory", "pids", "cpu"), tmp_path / "tree" / "app.slice"))


def test_alone_in_a_group(tmp_path: Path) -> None:
    """An arena that has a group to itself, as under systemd-run, moves aside and limits what it starts there."""
    own = tmp_path / "tree" / "run.scope"
    group(own, "memory pids", "", f"{os.getpid()}\n")
    found = find_groups(host(tmp_path, V2, "0::/run.scope\n"))
    assert found == Groups(2, dict.fromkeys(("memory", "pids"), own))
    assert (own / "cgroup.subtree_control").read_text() == "+memory +pids"
    assert (own / "arena-itself" / "cgroup.procs").read_text() == str(os.getpid())


def test_where_nothing_is_open(tmp_path: Path) -> None:
    """A group that others are in too, below one without limits to give, is no place for us."""
    group(tmp_path / "tree" / "session.scope", "memory pids", "", "1\n2\n3\n")
    group(tmp_path / "tree" / "session.scope" / "mine", "", "", "7\n")
    assert find_groups(host(tmp_path, V2, "0::/session.scope/mine\n")) is None
    assert find_groups(tmp_path / "no-proc") is None


def test_version_1_in_a_container(tmp_path: Path) -> None:
    """Each controller has a tree of its own, and a container sees only its part of each."""
    mounts = (
        "33 31 0:31 /box {folder}/memory rw - cgroup cgroup rw,memory\n"
        "34 31 0:32 /box {folder}/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"
    )
    places = "4:memory:/box/inner\n2:cpu,cpuacct:/box\n"
    (tmp_path / "memory" / "inner").mkdir(parents=True)
    (tmp_path / "cpu,cpuacct").mkdir()
    found = find_groups(host(tmp_path, mounts, places))
    both = tmp_path / "cpu,cpuacct"
    assert found == Groups(1, {"memory": tmp_path / "memory" / "inner", "cpu": both, "cpuacct": both})


def test_groups_of_the_dead_are_swept_away(tmp_path: Path) -> None:
    """What an arena left that was killed is removed by the next one; what a living one uses stays."""
    for owner in (os.getpid(), 2**22 + 1):
        (tmp_path / f"arena-{owner}-0").mkdir()
    Groups(2, {"memory": tmp_path}).sweep()
    assert [path.name for path in tmp_path.iterdir()] == [f"arena-{os.getpid()}-0"]


@pytest.mark.parametrize(
    ("version", "files"),
    [
        (1, {"memory.limit_in_bytes": "134217728", "pids.max": "32", "cpu.cfs_quota_us": "150000"}),
        (2, {"memory.max": "134217728", "memory.swap.max": "0", "pids.max": "32", "cpu.max": "150000 100000"}),
    ],
)
def test_limits_are_written(
    version: int, files: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every limit reaches the file of the kernel that is for it, in either version."""
    mkdir = Path.mkdir

    def as_the_kernel_does(path: Path) -> None:
        mkdir(path)
        for name in files:
            (path / name).touch()

    monkeypatch.setattr(Path, "mkdir", as_the_kernel_does)
    limits = Limits(memory_mb=128, processes=32, cores=1.5)
    Groups(version, dict.fromkeys(("memory", "pids", "cpu"), tmp_path)).new(limits)
    (made,) = tmp_path.iterdir()
    assert {name: (made / name).read_text() for name in files} == files
