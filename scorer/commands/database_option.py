"""The --db option, and one-line errors for databases."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from scorer.config import DATABASE
from scorer.store import Unavailable
from scorer.store.database_url import is_remote, is_supported, open_store
from scorer.store.sql_store import Store


class Database(click.ParamType[str]):
    """The path of a file, or a PostgreSQL URL.

    :param exists: the file must exist
    """

    name = "database"

    def __init__(self, exists: bool = False) -> None:
        self._file = click.Path(dir_okay=False, exists=exists)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if not is_supported(value):
            self.fail("must be a path, or begin with postgresql://", param, ctx)
        return str(value if is_remote(value) else self._file.convert(value, param, ctx))


def database(exists: bool = False) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """The option --db, default DATABASE_URL.

    :param exists: the file must exist
    """
    return click.option(
        "--db",
        type=Database(exists),
        default=str(DATABASE),
        show_default=True,
        envvar="DATABASE_URL",
        help="A file or a postgresql://... address; DATABASE_URL sets the default.",
    )


@contextmanager
def report_unavailable(db: str | Path, translate: Callable[[str], str] = str) -> Iterator[None]:
    """Report `Unavailable` as a one-line error."""
    try:
        yield
    except Unavailable as error:
        from scorer.doctor import startup_problem

        raise click.ClickException(startup_problem(str(db), error, translate)) from None


@contextmanager
def open_database(db: str) -> Iterator[Store]:
    """Open the database, reporting errors in one line."""
    with report_unavailable(db):
        store = open_store(db)
        try:
            yield store
        finally:
            store.close()


@contextmanager
def report_existing(target: Path) -> Iterator[None]:
    """Report an existing file as an error."""
    try:
        yield
    except FileExistsError:
        raise click.ClickException(f"{target}: is there already") from None
