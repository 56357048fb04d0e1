"""A strict JSON parser, without duplicate keys or other ambiguities.

>>> loads('{"do": "gehen"}')
{'do': 'gehen'}
>>> loads('{"side": 0, "side": 1}')
Traceback (most recent call last):
scorer.engine.input.field_readers.Unreadable: side: is there twice
"""

from __future__ import annotations

import json
import re
from typing import Any, Final, NoReturn

from scorer.engine.input.field_readers import Unreadable
from scorer.engine.translatable import N_

_SURROGATE: Final = re.compile(r"\\u[dD][89a-fA-F]|[\ud800-\udfff]")
"""A possible half of a surrogate pair."""


def loads(text: str) -> Any:
    """Parse JSON text.

    :raises Unreadable: invalid JSON, too deeply nested, a duplicate key, NaN or infinity, or a lone
        surrogate, which databases and files cannot store
    """
    try:
        value = _decode(text)
        if _SURROGATE.search(text):
            json.dumps(value, ensure_ascii=False).encode()
        return value
    except Unreadable:
        raise
    except UnicodeEncodeError:
        raise Unreadable("event", N_("must not contain control characters")) from None
    except RecursionError:
        raise Unreadable("event", N_("is nested too deep")) from None
    except ValueError as error:
        raise Unreadable("event", N_("cannot be read: {error}"), error=error) from None


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for name, value in pairs:
        if name in fields:
            raise Unreadable(ascii(name)[1:-1][:60], N_("is there twice"))
        fields[name] = value
    return fields


def _refuse_constant(word: str) -> NoReturn:
    raise Unreadable("event", N_("{word} is not a number"), word=word)


_decode: Final = json.JSONDecoder(
    object_pairs_hook=_without_duplicates, parse_constant=_refuse_constant
).decode
