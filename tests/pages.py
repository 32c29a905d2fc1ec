"""A reader who does what a page of documentation shows. In every page, in the order of the page:

```python             is executed, all blocks of a page in one namespace; one that holds a ``>>>`` prompt is a doctest
```python file=NAME   is saved under that name, for the commands that follow
```console            each line that begins with ``$ `` is a command that must succeed; the lines after it, if there are
                      any, are what it must print, with ``...`` for whatever may differ
```text and others    are only read

Commands run in a folder that looks like the root of a clone, so that what they write does not stay.
"""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FENCE = re.compile(r"^(?P<indent> *)```(?P<info>[^`\n]*)\n(?P<body>.*?)^(?P=indent)``` *$", re.MULTILINE | re.DOTALL)
LENIENT = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@dataclass(frozen=True)
class Block:
    """One fenced block of a page."""

    page: str
    line: int
    """Where its first line stands, counted from 1."""
    language: str
    file: str
    text: str

    @property
    def where(self) -> str:
        return f"{self.page}:{self.line}"


def blocks(page: str, text: str) -> Iterator[Block]:
    for match in FENCE.finditer(text):
        language, _, rest = match["info"].strip().partition(" ")
        line = text.count("\n", 0, match.start("body")) + 1
        body = re.sub(f"^{match['indent']}", "", match["body"], flags=re.MULTILINE)
        yield Block(page, line, language, rest.removeprefix("file="), body)


class Reader:
    """Does what a page shows, block by block, in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.names: dict[str, Any] = {"__name__": "documentation"}

    def read(self, page: str, text: str) -> None:
        """Follow a whole page. Raises when it shows what is not so."""
        for block in blocks(page, text):
            self.follow(block)

    def follow(self, block: Block) -> None:
        if block.file:
            path = self.folder / block.file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text)
        elif block.language == "python":
            self.execute(block)
        elif block.language == "console":
            for command, expected in commands(block):
                self.type_in(block, command, expected)

    def execute(self, block: Block) -> None:
        if ">>> " not in block.text:
            # The empty lines make a traceback point into the page.
            exec(compile("\n" * (block.line - 1) + block.text, block.page, "exec", dont_inherit=True), self.names)  # noqa: S102
            return
        test = doctest.DocTestParser().get_doctest(block.text, self.names, block.page, block.page, block.line - 1)
        said: list[str] = []
        doctest.DocTestRunner(optionflags=LENIENT, verbose=False).run(test, out=said.append, clear_globs=False)
        self.names.update(test.globs)
        assert not said, "".join(said)

    def type_in(self, block: Block, command: str, expected: str) -> None:
        done = subprocess.run(
            ["bash", "-c", f"set -o pipefail; {command}"],
            cwd=self.folder,
            env=terminal(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, f"{block.where}: '{command}' ended with {done.returncode} and said\n{done.stdout}"
        agrees = doctest.OutputChecker().check_output(expected, done.stdout, LENIENT)
        assert not expected or agrees, f"{block.where}: '{command}' should print\n{expected}and printed\n{done.stdout}"


def commands(block: Block) -> Iterator[tuple[str, str]]:
    """Each command of a console block, with what is shown after it."""
    assert block.text.startswith("$ "), f"{block.where}: a console block begins with a command, as in '$ make'"
    for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        command, _, expected = re.sub(r"\\\n", "", part).partition("\n")
        yield command, expected


def terminal() -> dict[str, str]:
    """The environment of somebody who has set up the clone: its commands are on PATH, its output is plain."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    return {**os.environ, "PATH": path, "NO_COLOR": "1", "COLUMNS": "120"}
