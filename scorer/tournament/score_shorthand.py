"""A table's games as a director types them from paper: as few keys as can be.

Each game is the loser's points alone; a minus before them says that the first pair lost, and a
star is short for `-1`. A game may be written out (`17:8`), an `r` behind it marks a
Retourschneider, and blanks may be left out. So no game takes more than two keys.

>>> typed("8 -12 3", 15, 3)
(((15, 8), (12, 15), (15, 3)), ())
>>> typed("8-123", 15, 3) == typed("8 -12 3", 15, 3)
True
>>> typed("8*23", 15, 3) == typed("8 -12 3", 15, 3)
True
>>> typed("15:8 13r", 15, 2)
(((15, 8), (15, 13)), (2,))
"""

from __future__ import annotations

import re
from typing import Final

from scorer.engine import Illegal, Unreadable
from scorer.engine.translatable import N_
from scorer.tournament.result_validation import Games

_GAME: Final = re.compile(r"(?:(\d{1,3})[:/](\d{1,3})|(-?)(\d+))(r?)")


def parse_scores(text: str, target: int, count: int) -> tuple[Games, tuple[int, ...]]:
    """The games, and the numbers of those that were a Retourschneider.

    :param target: the winner's points where only the loser's are typed
    :param count: how many games a match has
    :raises Unreadable: what is not understood
    :raises Illegal: another number of games
    """
    games, retour, rest = parse_partial_scores(text, target)
    if rest:
        raise Unreadable("games", N_("{typed} is not understood"), typed=rest[:20])
    if len(games) != count:
        raise Illegal("games-missing", count=count, given=len(games))
    return games, retour


def parse_partial_scores(text: str, target: int) -> tuple[Games, tuple[int, ...], str]:
    """The games that are typed so far, their Retourschneider, and the rest that is none yet.

    >>> begun("8 -", 15)
    (((15, 8),), (), '-')
    """
    rest, games, retour = text.strip().lower(), list[tuple[int, int]](), []
    rest = rest.replace("*", "-1")
    while found := _GAME.match(rest):
        rest = rest[found.end() :].lstrip(" ,;.+")
        if found[1]:
            games.append((int(found[1]), int(found[2])))
        else:
            for at, points in enumerate(_apart(found[4], target)):
                lost = found[3] and at == 0
                games.append((points, target) if lost else (target, points))
        if found[5]:
            retour.append(len(games))
    return tuple(games), tuple(retour), rest


def _apart(digits: str, target: int) -> list[int]:
    """Points typed without blanks: nobody stands at 1, so a 1 begins a number of two digits.

    >>> _apart("8123", 15), _apart("12", 15), _apart("00", 15)
    ([8, 12, 3], [12], [0, 0])
    """
    if int(digits[:4]) < target and len(digits) < 3 and (digits == "0" or digits[0] != "0"):
        return [int(digits)]
    return [int(number) for number in re.findall(r"1\d|\d", digits)]
