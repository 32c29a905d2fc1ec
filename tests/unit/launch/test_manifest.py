"""bot.toml: what is read, and the one sentence for each thing that can be wrong with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.errors import BadManifest
from arena.launch import read_manifest
from tests.tree import ROOT

GOOD = 'name = "owl"\ngames = ["shelfie"]\ncommand = ["python", "bot.py"]\n'


def write(folder: Path, text: str | bytes) -> Path:
    (folder / "bot.toml").write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder


def complaint(folder: Path) -> str:
    """The sentence with which the folder is refused."""
    with pytest.raises(BadManifest) as caught:
        read_manifest(folder)
    return str(caught.value)


def test_reads_every_key(tmp_path: Path) -> None:
    """All keys arrive where they belong."""
    text = GOOD + 'build = "make -j \'two words\'"\ndescription = "Sees in the dark."\ndeterministic = true\n'
    manifest = read_manifest(write(tmp_path, text))
    assert (manifest.name, manifest.games, manifest.command) == ("owl", ("shelfie",), ("python", "bot.py"))
    assert (manifest.build, manifest.description) == (("make", "-j", "two words"), "Sees in the dark.")
    assert manifest.deterministic
    assert manifest.folder == tmp_path


def test_build_and_description_may_be_left_out(tmp_path: Path) -> None:
    """Three lines are enough."""
    manifest = read_manifest(write(tmp_path, GOOD))
    assert (manifest.build, manifest.description, manifest.deterministic) == (None, "", False)


def test_command_may_be_one_string(tmp_path: Path) -> None:
    """A command that is written as one string is split as a shell would split it."""
    text = GOOD.replace('["python", "bot.py"]', "\"java -cp 'my bot.jar' Main\"")
    assert read_manifest(write(tmp_path, text)).command == ("java", "-cp", "my bot.jar", "Main")


def test_path_of_the_file_itself_will_do(tmp_path: Path) -> None:
    """Somebody who names bot.toml instead of its folder gets the same bot."""
    assert read_manifest(write(tmp_path, GOOD) / "bot.toml") == read_manifest(tmp_path)


def test_folder_does_not_depend_on_where_we_stand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same bot under two paths is one bot."""
    write(tmp_path, GOOD)
    monkeypatch.chdir(tmp_path)
    assert read_manifest(Path()) == read_manifest(tmp_path)


@pytest.mark.parametrize("name", sorted(path.name for path in (ROOT / "bots").iterdir() if path.is_dir()))
def test_bundled_bots_are_good_examples(name: str) -> None:
    """Each bundled bot can be read, and is called like its folder."""
    assert read_manifest(ROOT / "bots" / name).name == name


def test_no_folder(tmp_path: Path) -> None:
    """A mistyped path is named."""
    assert "there is no bot folder" in complaint(tmp_path / "owll")
    assert "owll" in complaint(tmp_path / "owll")


def test_not_a_folder(tmp_path: Path) -> None:
    """The path of some other file is refused."""
    (tmp_path / "bot.py").touch()
    assert "bot.py is not a bot folder" in complaint(tmp_path / "bot.py")


def test_no_manifest_shows_a_minimal_one_that_works(tmp_path: Path) -> None:
    """Whoever copies what the sentence shows has a good bot.toml."""
    _, _, example = complaint(tmp_path).partition("three lines: ")
    write(tmp_path, example.replace(", games", "\ngames").replace(", command", "\ncommand"))
    assert read_manifest(tmp_path).name == "my-bot"


BAD: dict[str, tuple[str | bytes, str]] = {
    "syntax, with its line": (GOOD + "command = = 2\n", "line 4"),
    "unknown key, with the nearest": (
        GOOD.replace("command", "comand"),
        "unknown key 'comand'; did you mean 'command'?",
    ),
    "unknown key, with all": (GOOD + "xyzzy = 1\n", "the known keys are name, games, command, build, description, "),
    "missing key": ('name = "owl"\ngames = ["shelfie"]\n', "'command' is missing"),
    "name of another type": (GOOD.replace('"owl"', "7"), "'name' must be a string, not an integer"),
    "description of another type": (GOOD + "description = 1979-05-27\n", "must be a string, not a date or time"),
    "neither true nor false": (GOOD + 'deterministic = "yes"\n', "'deterministic' must be true or false, not a string"),
    "games of another type": (GOOD.replace('["shelfie"]', '"shelfie"'), "must be an array of strings, not a string"),
    "no games": (GOOD.replace('["shelfie"]', "[]"), "'games' is empty"),
    "command of another type": (GOOD.replace('["python", "bot.py"]', "{}"), "array of strings, not a table"),
    "word of another type": (
        GOOD.replace('"bot.py"', "true"),
        "each item of 'command' must be a string, not a boolean",
    ),
    "empty command": (GOOD.replace('["python", "bot.py"]', "[]"), "'command' is empty"),
    "command of blanks": (GOOD.replace('["python", "bot.py"]', '"  "'), "'command' is empty"),
    "command without a program": (GOOD.replace('"python"', '""'), "'command' is empty"),
    "empty build": (GOOD + 'build = ""\n', "'build' is empty"),
    "open quote": (GOOD.replace('["python", "bot.py"]', '"sh -c \'exit"'), "no closing quotation"),
    "NUL in the command": (GOOD.replace('"bot.py"', '"bot\\u0000.py"'), "NUL"),
    "empty name": (GOOD.replace('"owl"', '""'), "1 to 64 letters"),
    "long name": (GOOD.replace('"owl"', f'"{"o" * 65}"'), "1 to 64 letters"),
    "name with a blank": (GOOD.replace('"owl"', '"night owl"'), "'night owl' will not do"),
    "name that is a path": (GOOD.replace('"owl"', '"../owl"'), "'../owl' will not do"),
    "name that is the folder above": (GOOD.replace('"owl"', '".."'), "'..' will not do"),
    "name with a newline at its end": (GOOD.replace('"owl"', '"owl\\n"'), r"'owl\n' will not do"),
    "name that is not ASCII": (GOOD.replace('"owl"', '"hibou\u00e9"'), "will not do"),
    "bad game": (GOOD.replace('"shelfie"', '"my game"'), "'my game' will not do in 'games'"),
    "not UTF-8": (GOOD.encode() + b"# caf\xe9\n", "not UTF-8 text (at line 4)"),
    "too large": (GOOD + "#" * 70_000, "larger than 64 KiB"),
    "nested without end": ("games = " + "[" * 5000, "nested too deeply"),
}


@pytest.mark.parametrize("what", BAD)
def test_bad_manifest(what: str, tmp_path: Path) -> None:
    """Whatever is wrong is said in one line that names the file and the fault."""
    text, fault = BAD[what]
    said = complaint(write(tmp_path, text))
    assert fault in said
    assert "bot.toml" in said
    assert said.isprintable()


@pytest.mark.parametrize(
    "text",
    [
        GOOD.replace('"owl"', '"\\u001b[31mowl\\u0000"'),
        GOOD.replace('"shelfie"', '"\\u001b]0;mine\\u0007"'),
        GOOD + '"\\u001b[2J" = 1\n',
        GOOD + "name = \x1b[31m\n",
    ],
)
def test_no_sentence_carries_control_characters(text: str, tmp_path: Path) -> None:
    """A bot.toml cannot colour, clear or rename the terminal of whoever reads why it was refused."""
    folder = tmp_path / "\x1b[31mred"
    folder.mkdir()
    said = complaint(write(folder, text))
    assert said.isprintable()
    assert r"\x1b[31mred" in said


def test_manifest_that_is_a_folder(tmp_path: Path) -> None:
    """A folder that is called bot.toml is not taken for one."""
    (tmp_path / "bot.toml").mkdir()
    assert "has no bot.toml" in complaint(tmp_path)
