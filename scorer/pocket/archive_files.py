"""Reads and writes archives for the bundle, with the standard library only."""

from __future__ import annotations

import io
import tarfile
import zipfile
from pathlib import Path


class UnsafePath(Exception):
    """A member's path leads out of the target folder."""


def unpack_tar(archive: Path, folder: Path) -> None:
    """Unpack the regular files of a tar archive; links and devices are skipped.

    `extractall(filter="data")` exists only from Python 3.11.4 on.

    :raises UnsafePath: before anything is written
    """
    target_folder = folder.resolve()
    with tarfile.open(archive) as tar:
        files = [member for member in tar if member.isreg()]
        for member in files:
            if not (target_folder / member.name).resolve().is_relative_to(target_folder):
                raise UnsafePath(f"{archive.name}: {member.name}")
        for member in files:
            source = tar.extractfile(member)
            assert source is not None
            target = target_folder / member.name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(source.read())


# Both are reproducible and uncompressed: compressing the whole bundle saves another quarter.


def zip_folder(folder: Path) -> bytes:
    """A zip archive that Python can import from."""
    output = io.BytesIO()
    with zipfile.ZipFile(output, "w") as archive:
        for path in _files(folder):
            info = zipfile.ZipInfo(str(path.relative_to(folder)), (2026, 1, 1, 0, 0, 0))
            archive.writestr(info, path.read_bytes())
    return output.getvalue()


def tar_folder(folder: Path) -> bytes:
    """A tar archive that tar.js can read: regular files with short paths only."""
    output = io.BytesIO()
    with tarfile.open(fileobj=output, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for path in _files(folder):
            info = tarfile.TarInfo(str(path.relative_to(folder)))
            assert len(info.name.encode()) <= tarfile.LENGTH_NAME, info.name
            info.size = path.stat().st_size
            with path.open("rb") as file:
                archive.addfile(info, file)
    return output.getvalue()


def _files(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.rglob("*")) if path.is_file()]
