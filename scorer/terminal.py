"""Translates the command line into the machine's language (LC_ALL, LC_MESSAGES or LANG).

Sets up the standard library's `gettext` with our language files, which click uses too.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from gettext import bindtextdomain, gettext, translation
from inspect import cleandoc
from pathlib import Path
from typing import Any, Final

import click

from scorer.engine.translatable import N_, Counted

FOLDER: Final = Path(__file__).parent / "translations"

bindtextdomain("messages", str(FOLDER))

CLICK: Final = (
    N_("Usage:"),
    N_("Options"),
    N_("Commands"),
    N_("default: {default}"),
    N_("Show this message and exit."),
    N_("%(prog)s, version %(version)s"),
    N_("Aborted!"),
    N_("Error: {message}"),
    N_("Try '{command} {option}' for help."),
    N_("Missing command."),
    N_("Missing argument"),
    N_("No such command {name!r}."),
    N_("No such option {name!r}."),
    Counted("Did you mean {possibility}?", "(Did you mean one of: {possibilities}?)", ""),
    Counted(
        "Got unexpected extra argument ({args})", "Got unexpected extra arguments ({args})", ""
    ),
    Counted(
        "Option {name!r} requires an argument.", "Option {name!r} requires {nargs} arguments.", ""
    ),
    N_("Option {name!r} does not take a value."),
    N_("Invalid value: {message}"),
    N_("Invalid value for {param_hint}: {message}"),
    N_("{value!r} is not a valid {number_type}."),
    N_("{value} is not in the range {range}."),
    N_("file"),
    N_("directory"),
    N_("path"),
    N_("{name} {filename!r} does not exist."),
    N_("{name} {filename!r} is a file."),
    N_("{name} {filename!r} is a directory."),
    N_("{name} {filename!r} is not readable."),
    N_("{name} {filename!r} is not writable."),
)
"""click's own messages, for the language files."""

PLACES: Final = (
    N_("[OPTIONS]"),
    N_("COMMAND [ARGS]..."),
    N_("DATABASE"),
    N_("DIRECTORY"),
    N_("FILE"),
    N_("INTEGER"),
    N_("INTEGER RANGE"),
    N_("TEXT"),
)

SYSTEM: Final = (
    N_("Address already in use"),
    N_("Cannot assign requested address"),
    N_("Permission denied"),
)
"""System errors of an address that cannot be listened on."""


def _(sentence: str, **values: object) -> str:
    """The translated sentence with its values; English if not translated.

    >>> _("{target}: is there already", target="x.db")
    'x.db: is there already'
    """
    return gettext(sentence).format_map(values)


def language() -> str:
    """The code of the machine's language, 'en' if there is no translation."""
    return str(translation("messages", FOLDER, fallback=True).info().get("language", "en"))


def paragraphs(text: str) -> list[str]:
    """The paragraphs of a help text, each on one line.

    >>> paragraphs("Copy\\n    all.\\n\\n    Stop first.")
    ['Copy all.', 'Stop first.']
    """
    return [" ".join(part.split()) for part in cleandoc(text).split("\n\n")]


class ReadableFile(click.File):
    """An input file, with translated error messages."""

    _path: Final = click.Path(exists=True, dir_okay=False, allow_dash=True)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        self._path.convert(value, param, ctx)
        return super().convert(value, param, ctx)


class TranslatedGroup(click.Group):
    """A command group with English docstrings and translated help."""

    def helped(self) -> Iterator[click.Command | click.Option]:
        for command in (self, *self.commands.values()):
            yield command
            yield from (param for param in command.params if isinstance(param, click.Option))

    def main(self, *args: Any, **extra: Any) -> Any:
        # A copy: the language may differ at the next call.
        spoken = deepcopy(self)
        for item in spoken.helped():
            item.help = "\n\n".join(map(gettext, paragraphs(item.help))) if item.help else None
            if isinstance(item, click.Command):
                item.options_metavar = gettext("[OPTIONS]")
            elif not item.is_flag:
                item.metavar = gettext(item.metavar or item.type.name.upper())
        spoken.subcommand_metavar = gettext("COMMAND [ARGS]...")
        return super(TranslatedGroup, spoken).main(*args, **extra)
