"""The terminal speaks the language of its machine; what programs read there stays as it is."""

import errno
import gettext
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest
from babel.messages.extract import extract_from_dir

from scorer.cli import main
from scorer.terminal import CLICK, SYSTEM, language
from tests.commands import bummerl
from tests.marks import WORD, in_marks, unmarked
from tests.serving import PATIENCE

HELPS = """
import gettext, sys
import scorer.terminal
gettext.bindtextdomain("messages", sys.argv[1])
from scorer.cli import main
for named in ([], *([name] for name in main.commands)):
    main([*named, "--help"], "bummerl", standalone_mode=False, terminal_width=2000)
"""
LANGUAGES = {"C": "en", "de_AT.UTF-8": "de", "it_IT.UTF-8": "it", "fr_FR.UTF-8": "fr"}
LOCALES = list(LANGUAGES)
ILLEGAL = {"watten": 1, "rules": "bayern", "events": [{"do": "gehen", "side": 0}]}
SOLD_OUT = {"rules": "bayern", "points": [15, 0]}


def run(locale, *command, given=b""):
    """A command on a machine of this language."""
    return bummerl(*command, given=given, LC_ALL=locale, LANGUAGE="")


def said(locale, *command, given=b""):
    """What a command that is refused says."""
    done = run(locale, *command, given=given)
    assert done.returncode in (1, 2)
    assert done.stdout == b""
    return done.stderr.decode()


def test_help_has_no_sentence_that_no_language_file_has(tmp_path):
    environment = {**os.environ, "LC_ALL": "de_AT.UTF-8", "LANGUAGE": ""}
    command = [sys.executable, "-c", HELPS, in_marks(tmp_path)]
    done = subprocess.run(command, env=environment, capture_output=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr.decode()
    printed = done.stdout.decode()
    # Options, commands, and in capitals the arguments, are called the same everywhere.
    left = re.sub(r"--[a-z-]+", "", unmarked(printed))
    words = {word for word in WORD.findall(left) if not word.isupper()}
    assert printed.count("⟦Usage:⟧") == len(main.commands) + 1
    assert printed.count("⟦[OPTIONS]⟧") == len(main.commands) + 1
    assert {"⟦INTEGER⟧", "⟦INTEGER RANGE⟧"} <= set(re.findall("⟦[^⟧]*⟧", printed))
    assert words == {"bummerl", *main.commands}


def test_what_click_says_is_what_the_language_files_have():
    found = extract_from_dir(Path(click.__file__).parent, [("**.py", "python")])
    known = {message for _, _, message, _, _ in found}
    assert {item[:2] if isinstance(item, tuple) else item for item in CLICK} <= known


@pytest.mark.parametrize(
    ("command", "given"),
    [
        (["replay", "--wrong"], b""),
        (["replai"], b""),
        (["serve", "--port", "x"], b""),
        (["replay", os.devnull + "/x.json"], b""),
        (["verify", "-"], 7),
        (["replay", "-"], {**ILLEGAL, "watten": 2}),
        (["replay", "-"], {**ILLEGAL, "rules": "tirol"}),
        (["judge", "-"], {"ask": "why"}),
        (["equity", "-"], SOLD_OUT),
        (["import", "--unverified", "--db", os.devnull + "/x.db", "-"], {**ILLEGAL, "events": 1}),
    ],
)
def test_a_refusal_is_in_the_language_of_the_machine(command, given):
    assert len({said(locale, *command, given=given) for locale in LOCALES}) == len(LOCALES)


def test_an_import_tells_what_the_rules_refuse_by_its_name_and_in_words(tmp_path):
    command = ["import", "--unverified", "--db", tmp_path / "x.db", "-"]
    texts = [said(locale, *map(str, command), given=ILLEGAL) for locale in LOCALES]
    assert len(set(texts)) == len(LOCALES)
    assert all("nothing-to-answer" in text for text in texts)


def test_what_a_system_says_of_an_address_is_what_the_language_files_have():
    codes = (errno.EADDRINUSE, errno.EADDRNOTAVAIL, errno.EACCES)
    assert {os.strerror(code) for code in codes} == set(SYSTEM)


def test_what_programs_read_is_the_same_in_every_language():
    answers = [run(locale, "replay", "-", given=ILLEGAL) for locale in LOCALES]
    assert len({answer.stdout for answer in answers}) == 1
    assert json.loads(answers[0].stdout)["error"]["message"]


@pytest.mark.parametrize(("locale", "code"), LANGUAGES.items())
def test_the_machine_says_its_language(monkeypatch, locale, code):
    monkeypatch.setenv("LC_ALL", locale)
    monkeypatch.delenv("LANGUAGE", raising=False)
    assert language() == code
    assert (gettext.gettext("Usage:") == "Usage:") is (code == "en")
