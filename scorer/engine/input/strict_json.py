"""JSON that can mean one thing only.

>>> loads('{"do": "gehen"}')
{'do': 'gehen'}
>>> loads('{"side": 0, "side": 1}')
Traceback (most recent call last):
scorer.engine.input.fields.Unreadable: side: is there twice
"""

from __future__ import annotations

import json
from typing import Any, Final, NoReturn

from scorer.engine.input.fields import Unreadable
from scorer.engine.translatable import N_


def loads(text: str) -> Any:
    """The value that `text` writes.

    :raises Unreadable: no JSON, nested too deep, a name twice in one object, or a number that is
        none
    """
    try:
        return _decode(text)
    except Unreadable:
        raise
    except RecursionError:
        raise Unreadable("event", N_("is nested too deep")) from None
    except ValueError as error:
        raise Unreadable("event", N_("cannot be read: {error}"), error=error) from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for name, value in pairs:
        if name in fields:
            raise Unreadable(ascii(name)[1:-1][:60], N_("is there twice"))
        fields[name] = value
    return fields


def _no_number(word: str) -> NoReturn:
    raise Unreadable("event", N_("{word} is no number"), word=word)


_decode: Final = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_no_number).decode
