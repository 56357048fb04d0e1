"""`bummerl doctor`."""

from __future__ import annotations

import sys

import click

from scorer.commands.database_option import database


@click.command()
@database()
def doctor(db: str) -> None:
    """Check this machine and the database, and print what to do.

    Exit status: 0, or 1 if there is something to do.
    """
    from scorer.doctor import examine

    findings = list(examine(db))
    for finding in findings:
        label = "ok" if finding.is_ok else "LOOK"
        click.echo(f"{label:7}{finding.text}")
    sys.exit(0 if all(finding.is_ok for finding in findings) else 1)
