"""Shorthand for typing a table's games from paper.

A game is the loser's points; a leading minus means that the first pair lost, and `*` means
`-1`. A game may be written in full (`17:8`), a trailing `r` marks a Retourschneider, and spaces
are optional. If all games are written in full, their colons are optional too.

>>> parse_scores("8 -12 3", 15, 3)
(((15, 8), (12, 15), (15, 3)), ())
>>> parse_scores("8-123", 15, 3) == parse_scores("8 -12 3", 15, 3)
True
>>> parse_scores("8*23", 15, 3) == parse_scores("8 -12 3", 15, 3)
True
>>> parse_scores("15:8 13r", 15, 2)
(((15, 8), (15, 13)), (2,))
>>> parse_scores("15 3 12 15", 15, 2)
(((15, 3), (12, 15)), ())
"""

from __future__ import annotations

import re
from typing import Final

from scorer.engine import Illegal, Unreadable
from scorer.engine.translatable import N_
from scorer.tournament.result_validation import Games

GAME: Final = re.compile(r"(?:(\d{1,3})[:/](\d{1,3})|(-?)(\d+))(r?)")
SEPARATORS: Final = re.compile("[ ,;.+]+")


def parse_scores(text: str, target: int, count: int) -> tuple[Games, tuple[int, ...]]:
    """The games, and the numbers of those won as a Retourschneider.

    :param target: the winner's points if only the loser's are typed
    :param count: number of games in the match
    :raises Unreadable: the part that is not understood
    :raises Illegal: another number of games or of numbers, or losing points that reach the target
    """
    games, retour, rest = parse_partial_scores(text, target, count)
    if rest:
        raise Unreadable("games", N_("{typed} cannot be read as a score"), typed=rest[:20])
    if len(games) != count:
        if too_high := losing_points_too_high(text, target, count):
            raise Illegal("loser-too-high", points=too_high, target=target)
        numbers = _plain_numbers(text)
        if len(numbers) != 2 * count and max(numbers, default=0) >= target:
            raise Illegal("other-count-of-numbers", count=len(numbers), games=count, both=2 * count)
        read = " ".join(f"{first}:{second}" for first, second in games)
        raise Illegal("other-count-read", count=count, games=read)
    return games, retour


def parse_partial_scores(text: str, target: int, count: int) -> tuple[Games, tuple[int, ...], str]:
    """The games typed so far, the numbers of the Retourschneider, and the unparsed rest.

    >>> parse_partial_scores("8 -", 15, 3)
    (((15, 8),), (), '-')
    """
    rest, games, retour = text.strip().lower(), list[tuple[int, int]](), []
    rest = _with_colons(rest.replace("*", "-1"), target, count)
    while match := GAME.match(rest):
        rest = rest[match.end() :].lstrip(" ,;.+")
        if match[1]:
            games.append((int(match[1]), int(match[2])))
        else:
            for index, points in enumerate(_split_digits(match[4], target)):
                first_pair_lost = match[3] and index == 0
                games.append((points, target) if first_pair_lost else (target, points))
        if match[5]:
            retour.append(len(games))
    return tuple(games), tuple(retour), rest


def seen_by_second(text: str, target: int, count: int) -> str:
    """Points as the second pair typed them, as the first pair would; unchanged if unreadable.

    >>> seen_by_second("8 -12 3r", 15, 3), seen_by_second("8 x", 15, 3)
    ('8:15 15:12 3:15r', '8 x')
    """
    games, retour, rest = parse_partial_scores(text, target, count)
    if rest:
        return text
    marks = {number: "r" for number in retour}
    return " ".join(
        f"{second}:{first}{marks.get(number, '')}"
        for number, (first, second) in enumerate(games, 1)
    )


def losing_points_too_high(text: str, target: int, count: int) -> int:
    """The first number that is too high for a loser, if one or two are typed for each game; else 0.

    >>> losing_points_too_high("20 3 -3", 18, 3), losing_points_too_high("20 3", 18, 3)
    (20, 0)
    >>> losing_points_too_high("15 15 3 15", 15, 2)
    15
    """
    numbers = _plain_numbers(text)
    if len(numbers) == 2 * count:
        numbers = [min(two) for two in zip(numbers[::2], numbers[1::2], strict=True)]
    return (
        next((points for points in numbers if points >= target), 0) if len(numbers) == count else 0
    )


def _plain_numbers(text: str) -> list[int]:
    """The numbers of a text without their signs; empty if it has anything else."""
    typed = SEPARATORS.split(text.strip())
    is_plain = all(re.fullmatch(r"-?[0-9]{1,3}", one) for one in typed)
    return [abs(int(one)) for one in typed] if is_plain else []


def _with_colons(text: str, target: int, count: int) -> str:
    """The text with a colon in each game if it has two numbers for each, a winner's and a loser's.

    >>> _with_colons("15 3 12 15r", 15, 2), _with_colons("15 3 12", 15, 2)
    ('15:3 12:15r', '15 3 12')
    """
    numbers = SEPARATORS.split(text)
    if len(numbers) != 2 * count or not all(re.fullmatch(r"[0-9]{1,3}r?", n) for n in numbers):
        return text
    games = list(zip(numbers[::2], numbers[1::2], strict=True))
    has_winners = all(_is_won(first, target) != _is_won(second, target) for first, second in games)
    return " ".join(f"{first}:{second}" for first, second in games) if has_winners else text


def _is_won(points: str, target: int) -> bool:
    return int(points.rstrip("r")) >= target


def _split_digits(digits: str, target: int) -> list[int]:
    """Points typed without spaces. A 1 starts a two-digit number, as no side ends a game at 1.

    >>> _split_digits("8123", 15), _split_digits("12", 15), _split_digits("00", 15)
    ([8, 12, 3], [12], [0, 0])
    """
    if int(digits[:4]) < target and len(digits) < 3 and (digits == "0" or digits[0] != "0"):
        return [int(digits)]
    return [int(number) for number in re.findall(r"1\d|\d", digits)]
