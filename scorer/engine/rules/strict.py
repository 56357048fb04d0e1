"""JSON that can mean one thing only.

>>> loads('{"do": "gehen"}')
{'do': 'gehen'}
>>> loads('{"side": 0, "side": 1}')
Traceback (most recent call last):
scorer.engine.rules.fields.Unreadable: side: is there twice
>>> loads(r'"\\ud83c"')
Traceback (most recent call last):
scorer.engine.rules.fields.Unreadable: event: holds half a character (a lone surrogate)
"""

from __future__ import annotations

import json
from typing import Any, Final, NoReturn

from scorer.engine.rules.fields import Unreadable
from scorer.engine.rules.marked import N_


def loads(text: str) -> Any:
    """The value that `text` writes.

    :raises Unreadable: no JSON, nested too deep, a name twice in one object, a number that is
        none, or what JSON can escape and nothing can write down: half a character
    """
    try:
        found = _decode(text)
        if "\\u" in text:
            json.dumps(found, ensure_ascii=False).encode()
        return found
    except Unreadable:
        raise
    except UnicodeEncodeError:
        raise Unreadable("event", N_("holds half a character (a lone surrogate)")) from None
    except RecursionError:
        raise Unreadable("event", N_("is nested too deep")) from None
    except ValueError as error:
        raise Unreadable("event", N_("cannot be read: {error}"), error=error) from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise Unreadable(ascii(name)[1:-1][:60], N_("is there twice"))
        found[name] = value
    return found


def _no_number(word: str) -> NoReturn:
    raise Unreadable("event", N_("{word} is no number"), word=word)


_decode: Final = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_no_number).decode
