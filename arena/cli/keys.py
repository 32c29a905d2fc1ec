"""The terminal as a place to look at things: a screen of its own, and keys as words."""

from __future__ import annotations

import os
import re
import signal
import sys
import termios
import tty
from collections.abc import Iterator, Sequence
from contextlib import suppress
from select import select
from types import FrameType
from typing import TYPE_CHECKING, Final, NoReturn, Self

from rich.console import ConsoleDimensions

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

_KEYS: Final = {
    "\x1b[C": "right",
    "\x1b[D": "left",
    "\x1b[A": "up",
    "\x1b[B": "down",
    "\x1b[H": "home",
    "\x1b[F": "end",
    "\x1b[1~": "home",
    "\x1b[4~": "end",
    "\x1b[7~": "home",
    "\x1b[8~": "end",
    "\x1b[5~": "page up",
    "\x1b[6~": "page down",
    " ": "space",
    "\r": "enter",
    "\n": "enter",
    "\x7f": "backspace",
    "\b": "backspace",
    "\x1a": "suspend",
}
_OWN_SCREEN: Final = "\x1b[?1049h\x1b[?25l\x1b[H"
_USUAL_SCREEN: Final = "\x1b[?25h\x1b[?1049l"
_ONE_KEY: Final = re.compile(r"\x1b[\[O][0-9;]*[A-Za-z~]|.", re.DOTALL)


def decode(typed: str) -> list[str]:
    """The keys in what a terminal sent: names for special keys, the character itself for all others."""
    keys = (key.replace("\x1bO", "\x1b[") for key in _ONE_KEY.findall(typed))
    return [_KEYS.get(key, key) for key in keys]


class Terminal:
    """A terminal that shows one screen at a time and reads single keys, for as long as the `with` block lasts.

    However the block ends, by a signal too, the person gets the terminal back as it was.
    """

    def __init__(self, console: Console) -> None:
        self.console = console
        self.keyboard = sys.stdin.fileno()
        self._resized, self._bell = os.pipe()

    def __enter__(self) -> Self:
        self._before = termios.tcgetattr(self.keyboard)
        self._handlers = {
            signal.SIGWINCH: signal.signal(signal.SIGWINCH, self._ring),
            signal.SIGTERM: signal.signal(signal.SIGTERM, _leave),
            signal.SIGHUP: signal.signal(signal.SIGHUP, _leave),
        }
        self._take()
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError, termios.error):  # a terminal that has gone away needs nothing
            self._give_back()
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        os.close(self._resized)
        os.close(self._bell)

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows of the window itself, whatever the environment says: it changes while we look."""
        columns, rows = os.get_terminal_size(self.keyboard)
        return columns or 80, rows or 24

    def show(self, lines: Sequence[Text]) -> None:
        """Put these lines on the screen, cut to its size, and nothing else."""
        self.console.size = ConsoleDimensions(*self.size)
        with self.console.capture() as capture:
            for line in lines[: self.console.height]:
                self.console.print(line, no_wrap=True, overflow="crop")
        text = capture.get().removesuffix("\n").replace("\n", "\x1b[K\n")
        self._write(f"\x1b[H{text}\x1b[K\x1b[J")

    def pressed(self) -> Iterator[str]:
        """Keys as they are pressed, and "resize" when all must be drawn anew. Ends when the terminal goes away."""
        while True:
            ready, _, _ = select([self.keyboard, self._resized], [], [])
            if self._resized in ready:
                os.read(self._resized, 64)
                yield "resize"
            if self.keyboard in ready:
                typed = os.read(self.keyboard, 1024)
                if not typed:
                    return
                for key in decode(typed.decode(errors="ignore")):
                    yield self._suspended() if key == "suspend" else key

    def _take(self) -> None:
        tty.setcbreak(self.keyboard, termios.TCSANOW)
        mode = termios.tcgetattr(self.keyboard)
        # Ctrl-Z is read as a key, so that the screen can be put back before the shell shows.
        mode[6][termios.VSUSP] = b"\0"
        termios.tcsetattr(self.keyboard, termios.TCSANOW, mode)
        self._write(_OWN_SCREEN)

    def _give_back(self) -> None:
        self._write(_USUAL_SCREEN)
        termios.tcsetattr(self.keyboard, termios.TCSADRAIN, self._before)

    def _suspended(self) -> str:
        self._give_back()
        os.kill(os.getpid(), signal.SIGTSTP)
        self._take()
        return "resize"

    def _ring(self, _number: int, _frame: FrameType | None) -> None:
        os.write(self._bell, b".")

    def _write(self, text: str) -> None:
        self.console.file.write(text)
        self.console.file.flush()


def _leave(number: int, _frame: FrameType | None) -> NoReturn:
    raise SystemExit(128 + number)
