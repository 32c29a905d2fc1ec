"""The policy on programs that a test needs, tried on small suites that use the real conftest."""

from __future__ import annotations

from pathlib import Path

import pytest

CONFTEST = Path(__file__).parents[1] / "conftest.py"
SETTINGS = "[pytest]\naddopts = --strict-markers\nmarkers = needs(program, install): as in the real suite\n"
SUITE = """
import pytest

@pytest.mark.needs("{program}", "apt-get install {program}")
def test_something():
    pass
"""


def run_suite(pytester: pytest.Pytester, program: str) -> pytest.RunResult:
    """Run one test that needs the program."""
    pytester.makeconftest(CONFTEST.read_text())
    pytester.makeini(SETTINGS)
    pytester.makepyfile(SUITE.format(program=program))
    return pytester.runpytest_inprocess("-rs", "-p", "no:asyncio", "-p", "no:cacheprovider", "-p", "no:xdist")


def test_program_that_is_there_changes_nothing(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    """A test whose program is installed runs, under CI too."""
    monkeypatch.setenv("CI", "true")
    run_suite(pytester, "sh").assert_outcomes(passed=1)


def test_missing_program_skips_and_says_what_helps(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a person's machine the reason for skipping says what to install."""
    monkeypatch.delenv("CI", raising=False)
    result = run_suite(pytester, "no-such-program")
    result.assert_outcomes(skipped=1)
    result.stdout.fnmatch_lines(["*needs no-such-program, which is not installed: apt-get install no-such-program"])


def test_missing_program_fails_under_ci(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    """Under CI nothing is skipped: a missing program is a failure that says how to mend it."""
    monkeypatch.setenv("CI", "true")
    result = run_suite(pytester, "no-such-program")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["*needs no-such-program*apt-get install no-such-program*not skipped under CI*"])
