"""`bummerl pocket`: builds the bundle for this server's phones, or a static site."""

from __future__ import annotations

import signal
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import click

from scorer.pocket import bundle
from scorer.terminal import _
from scorer.web.frame.assets import asset_root

RETRY_SECONDS: Final = 3600
"""Seconds after a failure in which --optional does not try again."""
SERVED_FOLDER: Final = Path("instance") / "pocket"
PARTS_FOLDER: Final = Path("instance") / "parts"


@click.command("pocket")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    help="Build a site without a server in this folder.",
)
@click.option(
    "--parts",
    type=click.Path(path_type=Path),
    default=PARTS_FOLDER,
    show_default=True,
    help="Folder of the downloaded parts.",
)
@click.option(
    "--optional",
    is_flag=True,
    help="Exit without an error if it cannot be built, and try the network once an hour.",
)
def pocket(out: Path | None, parts: Path, optional: bool) -> None:
    """Build the app that phones run offline.

    Without --out, `serve` finds and offers it. With --out FOLDER it becomes a site of static
    files. That site keeps its tables on each phone and needs no server.
    """
    if optional:
        # `make run` starts it in the background, where a shell switches Ctrl-C off.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    failure_file = parts / "unreachable"
    if optional and _is_recent(failure_file):
        retry_note = _("It is tried again in an hour, or by: make pocket")
        click.echo(f"{failure_file.read_text().strip()} {retry_note}")
        return
    click.echo(_("Building what lets phones work without network (about a minute) ..."))
    try:
        manifest = _build(out, parts)
    except bundle.MissingPart as missing:
        text = f"{missing}. " + _("Everything else works without; phones then need the network.")
        if isinstance(missing, bundle.PartUnreachable):
            failure_file.write_text(f"{text}\n")
        if not optional:
            raise click.ClickException(text) from None
        click.echo(text)
        return
    except bundle.ChecksumMismatch as tampered:
        raise click.ClickException(str(tampered)) from None
    failure_file.unlink(missing_ok=True)
    size, version = round(manifest["bytes"] / 1e6), manifest["version"]
    folder = out or SERVED_FOLDER
    click.echo(
        _("{folder}: {size} MB, version {version}", folder=folder, size=size, version=version)
    )


def _build(out: Path | None, parts: Path) -> dict[str, Any]:
    with TemporaryDirectory() as scratch:
        bundle_folder = Path(scratch) / "made"
        bundle.make(bundle_folder, asset_root(), parts)
        if out is None:
            return bundle.build(bundle_folder, SERVED_FOLDER)
        return bundle.site(bundle_folder, asset_root(), out)


def _is_recent(file: Path) -> bool:
    try:
        return 0 <= time.time() - file.stat().st_mtime < RETRY_SECONDS
    except FileNotFoundError:
        return False
