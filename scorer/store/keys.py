"""Capability keys: whoever has one may do what it opens, and nobody else.

Only digests are stored, so the database alone opens nothing. But the writer's page has to show
the viewer's link again on any day, and a digest cannot be turned back. So a key can be sealed
under another: stored is the key XOR a pad that only the holder of the other key can compute. A
nonce of its own makes every pad new. Who steals the file has digests and boxes and can open
neither, with one exception: a code of six letters can be guessed offline. It only ever leads to
the viewer's key.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from typing import Final

KEY_LENGTH: Final = 26
CODE_LENGTH: Final = 6
_CODE_SIGNS: Final = "ABCDEFGHJKMNPQRTUVWXY346789"


def mint() -> str:
    """A new key: 128 random bits as 26 letters and digits.

    >>> len(mint()), mint() == mint()
    (26, False)
    """
    return _letters(secrets.token_bytes(16))


def is_key(text: str) -> bool:
    """Whether a text has the form of a key of 128 random bits; no code for typing has.

    >>> is_key(mint()), is_key(mint_code())
    (True, False)
    """
    return len(text) == KEY_LENGTH and text.isascii() and text.isalnum() and text.islower()


def derived(secret: str) -> str:
    """The key that belongs to a secret of 128 random bits or more: who has the one finds the other.

    >>> len(derived("secret")), derived("secret") == derived("secret")
    (26, True)
    """
    return _letters(hmac.digest(secret.encode(), b"key", "sha256")[:16])


def _letters(key: bytes) -> str:
    return base64.b32encode(key).decode().rstrip("=").lower()


def mint_code() -> str:
    """A new code for typing by hand, without letters that look like others."""
    return "".join(secrets.choice(_CODE_SIGNS) for _ in range(CODE_LENGTH))


def normal_code(text: str) -> str:
    """What a person typed, as `mint_code` would write it.

    >>> normal_code(" ab3-k9w ")
    'AB3K9W'
    """
    return "".join(sign for sign in text.upper() if sign.isalnum() and sign.isascii())[:20]


def new_stream() -> str:
    """A name for a new stream. It stands on pages and in other streams, and opens nothing."""
    return secrets.token_hex(8)


def digest(key: str) -> str:
    """What is stored of a key."""
    return hashlib.sha256(key.encode()).hexdigest()


def wrap(secret: str, under: str) -> tuple[str, str]:
    """Seal `secret` (at most 32 bytes) under another key: the nonce and the box, in hex."""
    nonce = secrets.token_hex(16)
    return nonce, _xor(secret.encode(), _pad(under, nonce)).hex()


def unwrap(nonce: str, box: str, under: str) -> str:
    """The secret in a box.

    >>> unwrap(*wrap("abc", "under"), "under")
    'abc'
    """
    # A box that somebody else has made may hold no letters.
    return _xor(bytes.fromhex(box), _pad(under, nonce)).decode(errors="replace")


def _pad(under: str, nonce: str) -> bytes:
    return hmac.digest(under.encode(), nonce.encode(), "sha256")


def _xor(text: bytes, pad: bytes) -> bytes:
    if len(text) > len(pad):
        raise ValueError("too long to seal")
    return bytes(a ^ b for a, b in zip(text, pad, strict=False))
