"""Make the Python code of the wire contract, inside the SDK.

    python proto/generate.py          write it
    python proto/generate.py --check  say whether what is committed is what would be written

The compiler runs in an environment of its own with the versions pinned in requirements.txt. Plain output for the wire
package ``arena.v1`` would be the Python package ``arena.v1``, which collides with the platform's package ``arena``: so
it is moved to ``arena_sdk.v1`` and its imports follow. The names on the wire stay ``arena.v1.*``.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

PROTO = Path(__file__).resolve().parent
TARGET = PROTO.parent / "sdk" / "arena_sdk" / "v1"
TOOLS = PROTO.parent / "build" / "proto-tools"
"""Not below proto/: the tools bring .proto files of their own, which buf would lint too."""
INIT = '"""Generated from proto/arena/v1 by proto/generate.py. Never edit."""\n'


def compiler() -> Path:
    """The Python with the pinned tools in it; installed when it is missing or when the pins have changed."""
    python = TOOLS / "bin" / "python"
    stamp = TOOLS / "pins"
    pins = (PROTO / "requirements.txt").read_text()
    if not (stamp.exists() and stamp.read_text() == pins):
        venv.create(TOOLS, with_pip=True, clear=True)
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        # The plugins look for pkg_resources, which newer setuptools no longer have.
        run([*pip, "-r", str(PROTO / "requirements.txt"), "setuptools<81"])
        stamp.write_text(pins)
    return python


def compile_protos(out: Path) -> None:
    sources = sorted(str(path) for path in PROTO.glob("arena/v1/*.proto"))
    python = compiler()
    outputs = [f"--{kind}_out={out}" for kind in ("python", "grpc_python", "mypy", "mypy_grpc")]
    plugins = [f"--plugin=protoc-gen-{kind}={python.parent}/protoc-gen-{kind}" for kind in ("mypy", "mypy_grpc")]
    command = [str(python), "-m", "grpc_tools.protoc", f"-I{PROTO}", *plugins, *outputs, *sources]
    run(command)


def run(command: list[str]) -> None:
    """Run a tool; when it fails, leave with what it said."""
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{done.stderr.strip()}\nproto/generate.py: the tool above failed, and nothing was changed.")


def move_imports(source: str) -> str:
    """Point imports (and, in stubs, qualified names) of ``arena.v1`` to where the code lives."""
    source = re.sub(r"\bfrom arena\.v1 import", "from arena_sdk.v1 import", source)
    source = re.sub(r"\bimport arena\.v1\.", "import arena_sdk.v1.", source)
    return re.sub(r"\barena\.v1\.(\w+_pb2)", r"arena_sdk.v1.\1", source)


def generated() -> dict[str, str]:
    """The files of the package by name."""
    with tempfile.TemporaryDirectory() as folder:
        compile_protos(Path(folder))
        files = {}
        for path in Path(folder, "arena", "v1").iterdir():
            text = path.read_text()
            if path.name.endswith("_pb2_grpc.py") and "add_" not in text:
                continue  # a file without a service says nothing
            if path.name.endswith("_pb2_grpc.pyi") and "Stub" not in text:
                continue
            files[path.name] = move_imports(text)
    return {"__init__.py": INIT, **files}


def differences(files: dict[str, str]) -> list[str]:
    """The names that are missing, stale or left over in the committed package."""
    committed = {path.name for path in TARGET.glob("*.py*") if path.suffix in {".py", ".pyi"}}
    stale = {name for name, text in files.items() if not _same(TARGET / name, text)}
    return sorted(stale | (committed - files.keys()))


def _same(path: Path, text: str) -> bool:
    return path.exists() and path.read_text() == text


def main(arguments: list[str]) -> int:
    files = generated()
    changed = differences(files)
    if "--check" in arguments:
        if changed:
            print(f"Generated code is stale ({', '.join(changed)}): run 'make proto' and commit.", file=sys.stderr)
        return 1 if changed else 0
    TARGET.mkdir(parents=True, exist_ok=True)
    for name in changed:
        if name in files:
            (TARGET / name).write_text(files[name])
        else:
            (TARGET / name).unlink()
    print(f"{len(files)} files, {len(changed)} changed: {', '.join(changed) or 'none'}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
