"""Commands speak English; the server's first lines are in the machine's language."""

import sys

import pytest

from scorer.cli import main
from tests.commands import bummerl
from tests.terminals import on_terminal

LOCALES = ["C.UTF-8", "de_AT.UTF-8", "it_IT.UTF-8", "fr_FR.UTF-8"]
ILLEGAL = {"watten": 1, "rules": "bayern", "events": [{"do": "gehen", "side": 0}]}


def in_each_locale(*command, **options):
    """What a command prints, which must be the same in all locales."""
    [printed] = {bummerl(*command, LC_ALL=name, LANGUAGE="", **options).text for name in LOCALES}
    return printed


@pytest.mark.parametrize("command", sorted(main.commands))
def test_help_is_english(command):
    assert in_each_locale(command, "--help").startswith("Usage: ")


def test_errors_are_english(tmp_path):
    assert "No such option" in in_each_locale("replay", "--wrong", status=2)
    replay, load = ["replay", "-"], ["import", "--unverified", "--db", tmp_path / "x.db", "-"]
    for command in (replay, load):
        assert "nothing-to-answer" in in_each_locale(*command, given=ILLEGAL, status=1)


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
