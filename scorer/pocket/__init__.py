"""The pocket: the same app on a phone, without network and without a server.

`bundle` puts together what a phone fetches once; `host` is the app inside the phone's browser.
What differs between a server and a phone is chosen in `scorer.hosts` and nowhere else.
"""

from __future__ import annotations

from typing import Final

WORKER: Final = "sw.js"
"""The script that a phone keeps running, at the root of the site."""
MANIFEST: Final = "bundle.json"
"""The list of the bundle's files with their sizes and checksums."""
