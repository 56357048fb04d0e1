"""Commands speak English; the server's first lines are in the machine's language."""

import sys

import pytest

from scorer.cli import main
from tests.commands import bummerl
from tests.terminals import on_terminal

LOCALES = ["C.UTF-8", "de_AT.UTF-8", "it_IT.UTF-8", "fr_FR.UTF-8"]
ILLEGAL = {"watten": 1, "rules": "bayern", "events": [{"do": "gehen", "side": 0}]}


def in_each_locale(*command, given=b""):
    """The different results of a command over all locales: a set of (status, output, errors)."""
    done = [bummerl(*command, given=given, LC_ALL=locale, LANGUAGE="") for locale in LOCALES]
    return {(one.returncode, one.stdout, one.stderr) for one in done}


@pytest.mark.parametrize("command", sorted(main.commands))
def test_help_is_english(command):
    [(status, text, _)] = in_each_locale(command, "--help")
    assert status == 0
    assert text.startswith(b"Usage: ")


def test_errors_are_english(tmp_path):
    [(status, _, error)] = in_each_locale("replay", "--wrong")
    assert (status, b"No such option" in error) == (2, True)
    [(status, state, _)] = in_each_locale("replay", "-", given=ILLEGAL)
    assert (status, b"nothing-to-answer" in state) == (1, True)
    command = ("import", "--unverified", "--db", tmp_path / "x.db", "-")
    [(status, _, error)] = in_each_locale(*command, given=ILLEGAL)
    assert (status, b"nothing-to-answer" in error) == (1, True)


@pytest.mark.parametrize(
    ("locale", "opened", "alone", "stopped"),
    [
        ("C.UTF-8", "Bummerl is open at", "No phone reaches this", "Bummerl has stopped"),
        ("de_AT.UTF-8", "Bummerl ist offen", "erreicht kein Handy", "Bummerl ist beendet"),
    ],
)
def test_server_start_speaks_the_system_language(tmp_path, locale, opened, alone, stopped):
    command = ["-m", "scorer", "serve", "--port", "0", "--db", str(tmp_path / "x.db")]
    with on_terminal([sys.executable, *command], LC_ALL=locale, LANGUAGE="") as terminal:
        terminal.read_until(opened)
        terminal.read_until(alone)
        terminal.interrupt()
        terminal.end()
    assert stopped in terminal.shown
