"""Who is put into a sandbox, and who may run without one.

A folder named by the person at the keyboard is theirs: it is put into a sandbox where the host can make one, and runs
without where it cannot, with a word of notice. What came from somebody else is never run without one, unless the person
says so.
"""

from __future__ import annotations

from collections.abc import Callable

from arena.launch.command import Launch, Order, StartFailed, Wrapper, bare
from arena.launch.limits import Limits
from arena.launch.manifest import Manifest
from arena.launch.probe import Host, survey
from arena.launch.sandbox import Sandbox


class Unguarded(StartFailed):
    """The bot is somebody else's, and this host cannot hold it."""


class Guard:
    """The wrapper that decides: a sandbox, or the open."""

    def __init__(
        self,
        *,
        trust: bool = False,
        limits: Limits = Limits(),  # noqa: B008 - it is frozen
        notice: Callable[[str], None] | None = None,
        look: Callable[[], Host] = survey,
    ) -> None:
        """``trust`` lets bots of others run where there is no sandbox; ``notice`` is told, once, that there is none."""
        self._trust = trust
        self._limits = limits
        self._notice = notice
        self._look = look
        self._sandbox: Sandbox | None = None

    def apart(self, manifest: Manifest) -> bool:
        return self._wrapper(manifest).apart(manifest)

    def __call__(self, order: Order) -> Launch:
        return self._wrapper(order.manifest)(order)

    def _wrapper(self, manifest: Manifest) -> Wrapper:
        host = self._look()
        if host.tools:
            self._sandbox = self._sandbox or Sandbox(host.tools, self._limits)
            return self._sandbox
        if not (manifest.trusted or self._trust):
            raise Unguarded(
                f"{manifest.name} is somebody else's program and is not run without a sandbox: {host.obstacle}; "
                "or say --trust if you know what it does"
            )
        if self._notice and not host.switched_off:
            self._notice(f"bots run without a sandbox, with all your rights: {host.obstacle}")
            self._notice = None
        return bare
