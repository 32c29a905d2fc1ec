"""A PostgreSQL server of our own: made in a temporary folder, reached through a socket there, gone after the tests."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import count
from pathlib import Path

import psycopg
from psycopg import sql

from tests.conftest import require

INSTALL = "apt-get install postgresql"
_SETTINGS = ("listen_addresses=", "fsync=off", "max_connections=50", "log_min_messages=error")


class Cluster:
    """A running server."""

    def __init__(self, folder: Path, control: Callable[..., None]) -> None:
        self.folder = folder
        self._control = control
        self._numbers = count()

    def url(self, database: str) -> str:
        return f"postgresql://postgres@/{database}?host={self.folder}"

    def restart(self) -> None:
        """Throw everybody out, and start again."""
        self._control("-m", "fast", "restart")

    def fresh(self) -> str:
        """The URL of a new, empty database. It costs some hundred files: tables that are there are better emptied."""
        name = f"arena_{next(self._numbers)}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        return self.url(name)


@contextmanager
def cluster() -> Iterator[Cluster]:
    """A server for the time of the block. Where there is no PostgreSQL the test is skipped, or fails under CI."""
    programs = _programs()
    folder = Path(tempfile.mkdtemp(prefix="arena-pg-", dir="/tmp"))  # sockets want short paths
    user = _user()
    if user is not None:
        shutil.chown(folder, user)

    def run(program: str, *words: str) -> None:
        command: list[str | Path] = [programs / program, "-D", folder / "data", *words]
        subprocess.run(command, user=user, cwd=folder, check=True, stdout=subprocess.DEVNULL, timeout=60)

    try:
        # Another order of letters than that of the bytes, as many servers have it.
        run("initdb", "-U", "postgres", "-A", "trust", "-E", "UTF8", "-N", "--locale-provider=icu", "--icu-locale=en")
        options = " ".join(f"-c {setting}" for setting in (*_SETTINGS, f"unix_socket_directories={folder}"))
        control = partial(run, "pg_ctl", "-w", "-s", "-l", str(folder / "log"), "-o", options)
        control("start")
        try:
            yield Cluster(folder, control)
        finally:
            control("-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder)


def _programs() -> Path:
    """The folder with the programs of the newest PostgreSQL: Debian keeps them away from PATH."""
    known = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    initdb = str(known[-1]) if known else "initdb"
    require(initdb, INSTALL)
    return Path(shutil.which(initdb) or initdb).parent


def _user() -> str | None:
    """Whom to run it as: PostgreSQL refuses root."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"
