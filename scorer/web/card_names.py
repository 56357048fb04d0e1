"""What the announced ranks and suits are called."""

from __future__ import annotations

from typing import Final

from flask_babel import lazy_gettext as _l

SCHLAEGE: Final = {
    "A": _l("Ace"),
    "K": _l("King"),
    "O": _l("Ober"),
    "U": _l("Unter"),
    "10": _l("Ten"),
    "9": _l("Nine"),
    "8": _l("Eight"),
    "7": _l("Seven"),
    "6": _l("Weli"),
}
FARBEN: Final = {"E": _l("Acorns"), "L": _l("Leaves"), "H": _l("Hearts"), "S": _l("Bells")}
