"""`bummerl pocket`: the bundle for this server's phones, or a whole site of static files."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import click

from scorer.pocket import bundle
from scorer.terminal import _
from scorer.web import asset_root

SERVED: Final = Path("instance") / "pocket"
PARTS: Final = Path("instance") / "parts"


@click.command("pocket")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), help="A site of its own.")
@click.option(
    "--parts",
    type=click.Path(path_type=Path),
    default=PARTS,
    show_default=True,
    help="Where the parts lie that it is built from.",
)
def pocket(out: Path | None, parts: Path) -> None:
    """Build what makes a phone a Bummerl of its own.

    Without --out it is put where `serve` finds it. With --out FOLDER it becomes a site of static
    files, a complete Bummerl that keeps its tables on each phone and needs no server.
    """
    where = out or SERVED
    try:
        with TemporaryDirectory() as scratch:
            made = Path(scratch) / "made"
            bundle.make(made, asset_root(), parts)
            if out is None:
                manifest = bundle.build(made, where)
            else:
                manifest = bundle.site(made, asset_root(), where)
    except bundle.Missing as missing:
        raise click.ClickException(
            f"{missing}. " + _("Everything else works without; phones then need the network.")
        ) from None
    except bundle.Tampered as tampered:
        raise click.ClickException(str(tampered)) from None
    size, version = round(manifest["bytes"] / 1e6), manifest["version"]
    click.echo(
        _("{folder}: {size} MB, version {version}", folder=where, size=size, version=version)
    )
