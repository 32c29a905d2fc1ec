"""From what people call a bot to one that can play: folders are registered on the way, names are looked up."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from arena.errors import Unknown, UsageError
from arena.launch import Manifest, content_hash, read_manifest
from arena.launch.pack import pack, unpack
from arena.record import Entrant
from arena.store import Store, Version
from arena.tournament.worker import Contender


def enter(store: Store, words: Iterable[str], cache: Path) -> dict[str, Contender]:
    """The bots that these words name, by label, in that order. Raises UsageError, BadManifest and Unknown.

    A word is a folder, the name of a registered bot (its newest version), or a label such as ``greedy@3``. The files of
    versions that came packed are put into ``cache``.
    """
    contenders: dict[str, Contender] = {}
    for word in words:
        version, folder = _registered(store, Path(word)) if _is_folder(store, word) else _known(store, word, cache)
        if version.label in contenders:
            raise UsageError(f"{version.label} is entered twice, the second time as {word}")
        contenders[version.label] = _contender(version, folder)
    return contenders


def recall(store: Store, labels: Iterable[str], cache: Path) -> dict[str, Contender]:
    """The bots of a tournament that was opened before. Raises Unknown when the files of one are gone."""
    return {label: _contender(*_known(store, label, cache)) for label in labels}


def register(store: Store, manifest: Manifest, *, trusted: bool) -> Version:
    """The version that the folder of a bot holds now, known or new."""
    return store.register(
        manifest.name,
        content_hash(manifest.folder),
        facts(manifest),
        pack(manifest.folder),
        trusted=trusted,
        source=str(manifest.folder),
    )


def facts(manifest: Manifest) -> dict[str, Any]:
    """What is kept of a manifest beside the files."""
    return {
        "games": list(manifest.games),
        "command": list(manifest.command),
        "build": list(manifest.build) if manifest.build else None,
        "description": manifest.description,
    }


def unpacked(cache: Path, name: str, content: str) -> Path:
    """Where the files of a version that came packed are put."""
    return cache / f"{name}-{content[:16]}"


def _is_folder(store: Store, word: str) -> bool:
    if os.sep in word or word in {".", ".."}:
        return True
    if not Path(word).is_dir():
        return False
    try:
        store.version(word)
    except Unknown:
        return True
    return False


def _registered(store: Store, folder: Path) -> tuple[Version, Path]:
    manifest = read_manifest(folder)
    return register(store, manifest, trusted=True), manifest.folder


def _known(store: Store, label: str, cache: Path) -> tuple[Version, Path]:
    version = store.version(label)
    source = Path(version.source)
    if version.trusted and source.is_dir() and content_hash(source) == version.content_hash:
        return version, source  # where what it has built lies beside it
    packed = store.pack(version.label)
    if packed is None:
        raise Unknown(
            f"the files of {version.label} are gone: {version.source or 'its folder'} has changed and the arena has no "
            "copy; name a folder to enter it as a new version"
        )
    folder = unpacked(cache, version.name, version.content_hash)
    unpack(packed, folder, version.content_hash)
    return version, folder


def _contender(version: Version, folder: Path) -> Contender:
    return Contender(Entrant(version.name, version.content_hash, version.number), folder, version.trusted)
