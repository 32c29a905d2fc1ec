"""Leaves links in place of files wherever it can, tries where they lead, and plays on."""

import sys
from collections.abc import Callable
from pathlib import Path

from arena_sdk import Bot, Turn, run

OUT = Path("/tmp")  # noqa: S108 - its own
ATTEMPTS: dict[str, Callable[[], object]] = {
    "read a secret through what it built": Path("build/shadow").read_bytes,
    "read a secret through what it wrote": (OUT / "shadow").read_bytes,
    "find a home": lambda: next(Path("build/top/home").iterdir()),
    "find a user": lambda: Path("build/users").read_text().index("root:"),
    "write to its own code": lambda: (OUT / "code").write_text(""),
    "write where it was built": lambda: Path("build/up/more").write_text(""),
}


class Links(Bot):
    def choose(self, turn: Turn) -> object:
        if turn.number < 2:
            (OUT / "shadow").symlink_to("/etc/shadow")
            (OUT / "code").symlink_to(Path(__file__))
            for name, attempt in ATTEMPTS.items():
                try:
                    attempt()
                except (OSError, ValueError, StopIteration) as error:
                    sys.stderr.write(f"could not {name}: {type(error).__name__}\n")
                else:
                    sys.stderr.write(f"DID {name}\n")
        return turn.legal[0]


run(Links())
