"""What the sheets on paper say, as rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from flask import render_template, url_for
from markupsafe import Markup

from scorer.book.next_table_keys import SEATS
from scorer.book.notifications import yield_to_others
from scorer.tournament import Match, Round
from scorer.tournament.name_matching import alphabetical, folded_name
from scorer.web.frame.access import tournaments
from scorer.web.frame.public_address import public_url, qr_svg
from scorer.web.frame.translation import gettext
from scorer.web.tournament.tournament_view import TournamentView

LONG: Final = 26
"""Letters of a name that still fit a column of half a sheet."""


@dataclass(frozen=True, slots=True)
class Seat:
    """Where a player of a round sits."""

    name: str
    table: str
    against: str
    partner: str = ""
    """With whom, where another player of the round is called the same."""


def seats(view: TournamentView, played: Round) -> list[Seat]:
    """Every player of a round by name, or the pair that named none; a bye has no table."""
    seats = []
    for match in played.matches.values():
        for at, side in enumerate(match.sides):
            against = view.side(match, 1 - at)
            people = [who for number in side for who in view.people(number)]
            seats += _seats(people, view.place(match), against)
    for pair in view.tournament.free(played):
        seats += _seats(view.people(pair), "", "")
    called = Counter(folded_name(seat.name) for seat in seats)
    told = [s if called[folded_name(s.name)] > 1 else replace(s, partner="") for s in seats]
    return sorted(told, key=lambda seat: (alphabetical(seat.name), seat.partner))


def _seats(people: Sequence[str], table: str, against: str) -> list[Seat]:
    """The players of a side, each with the others as its partner."""
    others = [" & ".join([*people[:at], *people[at + 1 :]]) for at in range(len(people))]
    return [Seat(who, table, against, with_) for who, with_ in zip(people, others, strict=True)]


# Cross table and bracket


@dataclass(frozen=True, slots=True)
class Cross:
    """Everybody against everybody, or against some of many: a row a pair, a column an opponent."""

    title: str
    pairs: tuple[int, ...]
    against: tuple[int, ...]
    rows: tuple[tuple[str, ...], ...]


WIDE: Final = 16
"""Columns of a cross table that fit the width of a sheet."""


def crosses(view: TournamentView) -> Iterator[Cross]:
    """A cross table for each group, or one for all."""
    met: dict[tuple[int, int], str] = {}
    for played in view.tournament.rounds:
        for match in played.matches.values():
            if not played.final and match.result is not None and not match.drawn.teams:
                first, second = match.drawn.pairs
                met[first, second] = _cell(match)
                met[second, first] = _cell(match, turned=True)
    groups = view.places.groups
    blocks = [
        (gettext("Group %(n)s", n=n), tuple(pair for pair in groups if groups[pair] == n))
        for n in sorted(set(groups.values()))
    ]
    blocks = blocks or [("", tuple(entrant.number for entrant in view.tournament.listed))]
    for title, pairs in blocks:
        for at in range(0, len(pairs), WIDE):
            part = pairs[at : at + WIDE]
            rows = tuple(tuple(met.get((a, b), "") for b in part) for a in pairs)
            yield Cross(title, pairs, part, rows)


def _drawn(view: TournamentView) -> Iterator[Markup]:
    """The cross tables as they are printed; of 512 pairs there are 32, each as long as the list."""
    for cross in crosses(view):
        yield Markup(render_template("tournament/paper/_cross.html", view=view, cross=cross))
        yield_to_others()


def _cell(match: Match, turned: bool = False) -> str:
    """A match in a cross table: its only game, else the games won."""
    result = match.result
    assert result is not None
    if result.walkover:
        return "+" if match.winner == int(turned) else "–"
    two = result.games[0]
    if len(result.games) > 1:
        won = sum(a > b for a, b in result.games)
        two = (won, len(result.games) - won)
    return f"{two[1]}:{two[0]}" if turned else f"{two[0]}:{two[1]}"


TALL: Final = 8
"""Tables of a round that a sheet holds below each other; of more the rounds follow each other."""


@dataclass(frozen=True, slots=True)
class Column:
    """A round in which who loses is out: its matches, and who goes on without one."""

    title: str
    matches: tuple[Match, ...]
    byes: tuple[str, ...]


def bracket(view: TournamentView) -> list[Column]:
    """The rounds in which who loses is out, each table beside where its winner plays on."""
    columns, after = list[Column](), list[int]()
    for played in reversed([played for played in view.tournament.rounds if played.knockout]):
        matches = [match for _, match in sorted(played.matches.items())]
        if played.stage == "knockout":
            # Each round is drawn anew, its tables by chance: the order is that of the next.
            matches.sort(key=lambda match: min(_at(after, lot) for lot in match.drawn.lots))
        byes = sorted(played.byes, key=lambda lot: _at(after, lot))
        lots = [lot for match in matches for lot in match.drawn.lots]
        after = list(dict.fromkeys([*lots, *byes, *after]))
        columns.append(Column(view.title(played), tuple(matches), tuple(view.byes(played))))
    return columns[::-1]


def _at(order: Sequence[int], lot: int) -> int:
    """Where a lot is in an order; behind all where it is not."""
    return order.index(lot) if lot in order else len(order)


# A Laufzettel and a certificate for each


@dataclass(frozen=True, slots=True)
class Way:
    """What a pair played in a round, or nothing yet."""

    number: int
    table: str = ""
    against: str = ""
    games: str = ""


def ways(view: TournamentView, pair: int) -> list[Way]:
    """A line a round for one pair, those to come empty."""
    ways = []
    for played in view.tournament.rounds:
        for match in played.matches.values():
            for at, side in enumerate(match.sides):
                if pair in side:
                    against = view.side(match, 1 - at)
                    games = _seen_from(view, match, at)
                    ways.append(Way(played.number, view.place(match), against, games))
        if pair in view.tournament.free(played):
            ways.append(Way(played.number, "–", gettext("bye")))
    known = {way.number for way in ways}
    settings = view.settings
    coming = settings.rounds if settings.rounds < 99 else len(view.tournament.rounds)
    return ways + [Way(n) for n in range(1, coming + 1) if n not in known]


def _seen_from(view: TournamentView, match: Match, at: int) -> str:
    """A match's games with this side's points first, and a Retourschneider marked."""
    result = match.result
    if result is None or result.walkover:
        return view.score(match)
    turned = replace(result, games=tuple((game[at], game[1 - at]) for game in result.games))
    return view.games(match, turned)


# Slips

FORMS: Final = ((8, 68.5), (6, 91.5), (4, 137.5), (3, 91.5), (2, 137.5))
"""How many slips a sheet of A4 holds and how high each is (mm): three or two below each other, as
wide as the sheet, more two beside each other."""
TALL_SLIP: Final = 275.0
"""How high two slips are that stand beside each other (mm): what many games take."""
ROWS: Final = (18, 14, 11, 9)
"""How high the boxes of a slip are that has room (mm), the highest first."""


@dataclass(frozen=True, slots=True)
class Form:
    """How slips are laid on their sheets."""

    count: int
    """How many to a sheet."""
    counts: tuple[int, ...]
    """How many may be chosen."""
    row: int
    """How high the boxes are where there is room for large letters (mm); else 0."""
    long: bool
    """Whether names take more than two lines."""
    wide: bool
    """Whether each is as wide as the sheet."""


def slip_form(games: int, longest: int, slips: int = 8, chosen: int = 0) -> Form:
    """How many slips to a sheet: as many as hold these games and names, or as were chosen; few
    slips fill their sheet.

    >>> [slip_form(*of).count for of in ((3, 20), (3, 60), (10, 60), (20, 60))]
    [8, 8, 4, 2]
    >>> slip_form(3, 20, slips=3)
    Form(count=3, counts=(8, 6, 4, 3, 2), row=9, long=False, wide=True)

    :param longest: letters of the longest name
    :param slips: how many are printed
    """
    long = longest > SHORT
    needed = 24 + (18.5 if long else 11) + 6.5 * (games + 1)
    heights = {n: height for n, height in FORMS if needed <= height} or {2: TALL_SLIP}
    counts = tuple(heights)
    filling = [n for n in counts if n >= slips]
    count = chosen if chosen in counts else min(filling, default=counts[0])
    large = heights[count] - (28.5 + (25 if long else 19.5))
    row = next((row for row in ROWS if row * (games + 1) <= large), 0)
    return Form(count, counts, row, long, wide=count < 4 and heights[count] < TALL_SLIP)


SHORT: Final = 24
"""Letters of a name that two lines of a slip hold."""

FINE: Final = 40
"""Letters of a name beyond which a slip has it in small print."""


@dataclass(frozen=True, slots=True)
class Slip:
    """A table's slip: its match, a code for each side, and the one to watch with."""

    match: Match
    codes: tuple[Markup, ...]
    watch: str


def slips(view: TournamentView, played: Round, chosen: int = 0) -> tuple[Form, list[list[Slip]]]:
    """The slips of a round, by sheets, and how they are laid on them."""
    drawn = []
    streams = [match.drawn.stream for match in played.matches.values()]
    links = tournaments().table_links(view.key, streams)
    for at, (_, match) in enumerate(sorted(played.matches.items())):
        keys = links.get(match.drawn.stream, {})
        urls = [
            public_url(url_for("result_entry.page", key=keys[role]))
            for role in SEATS
            if role in keys
        ]
        drawn.append(Slip(match, tuple(qr_svg(url) for url in urls), keys.get("code", "")))
        if at % 2:
            # Drawing four codes costs 25 ms.
            yield_to_others()
    names = [view.side(slip.match, at) for slip in drawn for at in (0, 1)]
    form = slip_form(played.games, max(map(len, names), default=0), len(drawn), chosen)
    count = form.count
    return form, [drawn[at : at + count] for at in range(0, len(drawn), count)]


def context(view: TournamentView, what: str, played: Round | None, best: int) -> dict[str, Any]:
    """What a sheet's template is given beside the view.

    :param best: how many get a certificate: the first that have a place
    """
    tournament = view.tournament
    # Short names leave room for two columns of a list.
    narrow = all(len(entrant.pair.name) <= LONG for entrant in tournament.listed)
    match what:
        case "by-name" if played:
            return {"narrow": narrow, "seats": seats(view, played)}
        case "list":
            return {"narrow": narrow, "entrants": tournament.listed}
        case "cross":
            return {"narrow": narrow, "crosses": list(_drawn(view))}
        case "bracket":
            columns = bracket(view)
            most = max((len(column.matches) for column in columns), default=0)
            tall = most > (TALL if narrow else TALL // 2)
            return {"narrow": narrow, "bracket": columns, "tall": tall}
        case "ways":
            lines = [(entrant, ways(view, entrant.number)) for entrant in tournament.active]
            return {"narrow": narrow, "ways": lines}
        case "certificates":
            placed = [line for line in view.places.lines if line.rank]
            return {"narrow": narrow, "lines": placed[:best], "best": best}
    return {"narrow": narrow}
