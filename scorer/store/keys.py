"""Capability keys: the holder of a key may do what it opens.

Only digests are stored. Some pages must show a second key again: the writer's page shows the
viewer's link. The other key is stored encrypted, in a box: it is XORed with a keystream made from
the reader's key and a nonce. So a stolen database opens nothing, except that a six-character code
can be guessed offline; it leads to the viewer's key only.
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
    return base32_text(secrets.token_bytes(16))


def is_key(text: str) -> bool:
    """Whether a text has the form of a key; a code for typing does not.

    >>> is_key(mint()), is_key(mint_code())
    (True, False)
    """
    return len(text) == KEY_LENGTH and text.isascii() and text.isalnum() and text.islower()


def derive_key(secret: str) -> str:
    """The key derived from a secret of at least 128 random bits; always the same for one secret.

    >>> len(derive_key("secret")), derive_key("secret") == derive_key("secret")
    (26, True)
    """
    return base32_text(hmac.digest(secret.encode(), b"key", "sha256")[:16])


def base32_text(key: bytes) -> str:
    return base64.b32encode(key).decode().rstrip("=").lower()


def mint_code() -> str:
    """A new code for typing, without easily confused letters."""
    return "".join(secrets.choice(_CODE_SIGNS) for _ in range(CODE_LENGTH))


def normalise_code(text: str) -> str:
    """A typed code as `mint_code` writes it.

    >>> normalise_code(" ab3-k9w ")
    'AB3K9W'
    """
    return "".join(sign for sign in text.upper() if sign.isalnum() and sign.isascii())[:20]


def new_stream_id() -> str:
    """A new random stream id. It is public and opens nothing."""
    return secrets.token_hex(8)


def digest(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()


def seal_key(secret: str, sealing_key: str) -> tuple[str, str]:
    """Seal `secret` (at most 32 bytes) under another key: the nonce and the box, in hex."""
    nonce = secrets.token_hex(16)
    return nonce, _xor(secret.encode(), _keystream(sealing_key, nonce)).hex()


def unseal_key(nonce: str, box: str, sealing_key: str) -> str:
    """The secret in a box.

    >>> unseal_key(*seal_key("abc", "under"), "under")
    'abc'
    """
    # A box from elsewhere may hold bytes that are no text.
    return _xor(bytes.fromhex(box), _keystream(sealing_key, nonce)).decode(errors="replace")


def _keystream(sealing_key: str, nonce: str) -> bytes:
    return hmac.digest(sealing_key.encode(), nonce.encode(), "sha256")


def _xor(text: bytes, keystream: bytes) -> bytes:
    if len(text) > len(keystream):
        raise ValueError("too long to seal")
    return bytes(a ^ b for a, b in zip(text, keystream, strict=False))
