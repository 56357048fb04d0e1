"""Leaves out of the bundle the parts of Python and its libraries that the app never loads."""

from __future__ import annotations

import re
import shutil
from pathlib import Path, PurePosixPath
from typing import Final

LOCALES: Final = frozenset({"root", "de", "en", "en_001", "en_GB", "fr", "it"})
"""Babel locales in the bundle. `en_GB` is based on `en_001`."""

UNUSED_STANDARD: Final = re.compile(
    r"(_pyrepl|antigravity|bdb|cProfile|cmd|compileall|ctypes|doctest|filecmp|fileinput|ftplib"
    r"|imaplib|mailbox|modulefinder|multiprocessing|nturl2path|optparse|pdb|pickletools|poplib"
    r"|profile|pstats|pty|pyclbr|pydoc|sched|shelve|smtplib|symtable|tabnanny|this|timeit|trace"
    r"|unittest|wave|webbrowser|wsgiref|xml|xmlrpc|zipapp)(\.py$|/)"
    # Encodings other than UTF-8, those of spreadsheets, and Python's own.
    r"|encodings/(?!(__init__|aliases|ascii|charmap|cp1252|cp437|idna|iso8859_1|latin_1|punycode"
    r"|unicode_escape|utf_16|utf_16_be|utf_16_le|utf_8|utf_8_sig)\.py$)"
)
"""Standard library: development tools and network protocols."""

UNUSED_LIBRARY: Final = re.compile(
    r".*\.(c|pyi|so)$"
    r"|[^/]+/(.*/)?(tests|licenses|shared)/"
    r"|babel/(locales|messages/)"
    r"|sqlite_utils/(cli|__main__)\.py$"
    r"|dateutil/zoneinfo/|pytz/zoneinfo/"
    r"|werkzeug/debug/"
)
"""Libraries: by the path in their archives."""


def library_file(path: str) -> bool:
    """Whether a library's file is in the bundle.

    >>> library_file("babel/locale-data/it.dat"), library_file("babel/locale-data/is.dat")
    (True, False)
    """
    parts = PurePosixPath(path)
    if path.startswith("babel/locale-data/"):
        return parts.stem in LOCALES
    if ".dist-info/" in path:
        # For importlib.metadata.version.
        return parts.name == "METADATA"
    return not UNUSED_LIBRARY.match(path)


def standard_file(path: str) -> bool:
    """Whether a standard library file is in the bundle.

    >>> standard_file("json/decoder.py"), standard_file("unittest/mock.py")
    (True, False)
    """
    return path.endswith(".py") and not UNUSED_STANDARD.match(path)


def trim_networkx(networkx: Path) -> None:
    """Remove all of networkx except graphs and matching, which draws need.

    The whole would be a quarter of the bundle.
    """
    matching = networkx / "algorithms" / "matching.py"
    source, init = matching.read_text(), networkx / "__init__.py"
    removed_folders = ("algorithms", "drawing", "generators", "linalg", "readwrite")
    for folder in removed_folders:
        shutil.rmtree(networkx / folder)
    matching.parent.mkdir()
    matching.write_text(source)
    removed_import = re.compile(rf"from networkx(\.| import )({'|'.join(removed_folders)})\b")
    lines = [line for line in init.read_text().splitlines() if not removed_import.match(line)]
    lines.append("from networkx.algorithms.matching import max_weight_matching")
    init.write_text("\n".join(lines))
