"""Reading lists of pairs: typed text, cells of a spreadsheet, CSV files, workbooks.

>>> [pair.name for pair in read_list("Nr;Spieler 1;Spieler 2\\n1;Anna;Bert\\n2;Cilli;Dora").pairs]
['Anna & Bert', 'Cilli & Dora']
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from scorer.engine import Unreadable
from scorer.engine.input.field_readers import MAX_NAME_LENGTH
from scorer.engine.input.lookalikes import lookalike_of
from scorer.engine.translatable import N_
from scorer.tournament.name_matching import is_same_person, people_key
from scorer.tournament.pairs import MAX_PAIRS, Pair, entered_pair
from scorer.tournament.surnames import is_given_name

_HEADINGS: Final = {
    "name": (
        "paar",
        "paarname",
        "name",
        "team",
        "mannschaft",
        "pair",
        "coppia",
        "squadra",
        "paire",
        "équipe",
        "equipe",
        "nom",
    ),
    "first": ("spieler", "spieler a", "player", "giocatore", "joueur"),
    "second": ("partner", "mitspieler", "spieler b", "compagno", "partenaire"),
    "surname": ("nachname", "familienname", "surname", "last name", "cognome", "nom de famille"),
    "given": ("vorname", "first name", "given name", "prénom", "prenom"),
    "club": (
        "verein",
        "ort",
        "verein oder ort",
        "verein/ort",
        "wohnort",
        "gemeinde",
        "club",
        "village",
        "club or village",
        "società",
        "paese",
        "società o paese",
        "luogo",
        "comune",
        "lieu",
        "lieu/club",
        "club/lieu",
        "club ou village",
        "commune",
    ),
    "entries": ("lose", "entries", "lots", "cartelle", "inscriptions"),
    "category": (
        "kategorie",
        "klasse",
        "wertung",
        "category",
        "class",
        "categoria",
        "classe",
        "catégorie",
        "categorie",
    ),
    "number": (
        "nr",
        "nr.",
        "#",
        "nummer",
        "startnummer",
        "start-nr",
        "start-nr.",
        "no",
        "no.",
        "n°",
        "nº",
        "n.",
        "numero",
        "numéro",
    ),
}
_COLUMN_OF_WORD: Final = {word: column for column, words in _HEADINGS.items() for word in words}
_SECOND_COLUMN_OF: Final = {
    "first": "second",
    "name": "name 2",
    "surname": "surname 2",
    "given": "given 2",
}
"""Column names of the second player by those of the first."""
_COLUMNS: Final = {
    1: ("name",),
    2: ("first", "second"),
    3: ("first", "second", "club"),
    4: ("name", "first", "second", "club"),
    5: ("name", "first", "second", "club", "entries"),
}
"""Columns of a list without headings, by their number."""
_COLUMNS_AMONG_PAIRS: Final = {
    1: ("name",),
    2: ("first", "second"),
    3: ("first", "second", "club"),
    4: ("first", "second", "club", "category"),
}
"""Columns of the other lines if most are like `Anna & Bert; SV Au`, so that a pair has no name of
its own."""
_COLUMNS_OF_SINGLES: Final = {1: ("first",), 2: ("first", "club")}
"""The same where single players enter."""
_TITLE_LINES: Final = 10
"""Within how many lines the headings are looked for."""
_NAME_SEPARATOR: Final = re.compile(r"\s*(?:&|/|\+|\b(?:(?<!von )und|and|et|e)\b)\s*")
_DASH: Final = re.compile(r"\s+[-–—]\s+")
"""Between two names, or between the second and its club."""
_CLUB_IN_BRACKETS: Final = re.compile(r"(.+?)\s*\(([^()]+)\)")
_LINE_NUMBER: Final = re.compile(r"^\s*(\d{1,4})[.)]+\s*(?=[^\W\d])")
_WORKBOOK_SIGNATURES: Final = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
"""First bytes of .xlsx, .ods and .xls files."""

_NONE_TAKEN: Final[Mapping[str, str]] = MappingProxyType({})

Rows = list[tuple[int, list[str]]]
"""Numbers and cells of lines."""


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    cells: list[str]
    meanings: Sequence[str] | None
    """Meaning of each cell, as in `ImportedList.columns`; None if there are too many cells."""


@dataclass(frozen=True, slots=True)
class ImportedList:
    pairs: list[Pair]
    columns: tuple[str, ...]
    """Meaning of each column: a field of a pair, `number`, or ""."""
    ignored: tuple[str, ...] = ()
    """Headings that were not recognised, and the title above them."""
    known: tuple[str, ...] = ()
    """Names that were left out, since they are on the list already or came twice."""


def decode_file(data: bytes, workbook_text: Callable[[bytes], str]) -> str:
    """A file's text: UTF-8, UTF-16 with a byte order mark, else Windows-1252.

    :param workbook_text: reads the first sheet of a workbook
    :raises Unreadable: the workbook cannot be read
    """
    if data.startswith(_WORKBOOK_SIGNATURES):
        return workbook_text(data)
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", errors="replace").replace("\0", "")
    try:
        return data.decode("utf-8-sig").replace("\0", "")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace").replace("\0", "")


def read_list(
    text: str, entered_clubs: Mapping[str, str] = _NONE_TAKEN, singles: bool = False
) -> ImportedList:
    """The pairs of a list, one per line; empty lines and a title above the headings are skipped.

    :param entered_clubs: the clubs of the pairs that are entered already, by name
    :param singles: whether a line without headings names one player, and then a club
    :raises Unreadable: the number of the line and the reason, or too many pairs
    """
    rows = _rows(text.removeprefix("\ufeff"))
    if len(rows) > MAX_PAIRS + 1:
        raise Unreadable("list", N_("must be a list of at most {most} pairs"), most=MAX_PAIRS)
    title, columns, headings, rows = _below_headings(rows)
    if columns and singles:
        columns = ["first" if column == "name" else column for column in columns]
    if columns:
        lines = [_Line(number, cells[: len(columns)], columns) for number, cells in rows]
        meanings = tuple(columns)
    else:
        lines, meanings = _lines_without_headings(rows, singles)
    pairs, known_names = _without_known([_pair(line) for line in lines], entered_clubs)
    headings_with_columns = zip(headings, columns or (), strict=False)
    ignored = (*title, *(heading for heading, column in headings_with_columns if not column))
    return ImportedList(pairs, meanings, ignored, tuple(known_names))


def _lines_without_headings(rows: Rows, singles: bool) -> tuple[list[_Line], tuple[str, ...]]:
    """The lines of a list without headings, and the meanings of its columns."""
    numbered = _numbered_rows(rows)
    rows = [(number, cells[1:] if number in numbered else cells) for number, cells in rows]
    split = {}
    if not singles:
        split = {number: parts for number, cells in rows if (parts := _split_pair(cells))}
        rows = [(number, split.get(number, cells)) for number, cells in rows]
    names_no_pairs = 2 * len(split) > len(rows)
    columns = _COLUMNS_AMONG_PAIRS if names_no_pairs else _COLUMNS
    if singles:
        columns = _COLUMNS_OF_SINGLES
    widest = max((len(cells) for _, cells in rows if len(cells) in columns), default=0)
    lines = []
    for number, cells in rows:
        # All lines mean the same by their columns, even where the last ones are empty. If most
        # lines have both players in one cell, each is read for itself.
        is_alone = names_no_pairs or len(cells) == 1
        count = 3 if number in split else len(cells) if is_alone else widest
        lines.append(_Line(number, cells, columns.get(count)))
    return lines, (("number",) if numbered else ()) + columns.get(widest, ())


def _without_known(
    pairs: Iterable[Pair], entered_clubs: Mapping[str, str]
) -> tuple[list[Pair], list[str]]:
    """The new pairs, and the names of those that are entered already or came twice.

    :param entered_clubs: the clubs of the pairs that are entered already, by name
    """
    clubs, new_pairs, known_names = dict(entered_clubs), list[Pair](), list[str]()
    for pair in pairs:
        same_name = lookalike_of(pair.name, clubs)
        if same_name is not None:
            pair = _told_apart(pair, clubs[same_name])
            if lookalike_of(pair.name, clubs) is not None:
                known_names.append(pair.name)
                continue
        clubs[pair.name] = pair.club
        new_pairs.append(pair)
    return new_pairs, known_names


def _told_apart(pair: Pair, other_club: str) -> Pair:
    """The pair, called by its club too if a pair of the same name is of another one.

    >>> _told_apart(Pair("A & B", ("A", "B"), "SV Au"), "FF Au").name
    'A & B (SV Au)'
    >>> _told_apart(Pair("A & B", ("A", "B"), "SV Au"), "").name
    'A & B'
    """
    name = f"{pair.name} ({pair.club})"
    is_other = pair.club and other_club and lookalike_of(pair.club, [other_club]) is None
    return replace(pair, name=name) if is_other and len(name) <= MAX_NAME_LENGTH else pair


def _below_headings(rows: Rows) -> tuple[list[str], list[str] | None, list[str], Rows]:
    """The title, the meaning of the columns, their headings, and the rows below them; without
    headings all rows.
    """
    for index, (_, cells) in enumerate(rows[:_TITLE_LINES]):
        if columns := _columns_of_headings(cells):
            title = [" ".join(filter(None, above)) for _, above in rows[:index]]
            return title, columns, cells, rows[index + 1 :]
    return [], None, [], rows


def _numbered_rows(rows: Rows) -> tuple[int, ...]:
    """The lines whose first cell only numbers them."""
    firsts = {
        number: cells[0].rstrip(".)")
        for number, cells in rows
        if len(cells) > 1 and cells[0].rstrip(".)").isdecimal()
    }
    return tuple(firsts) if _is_numbering(firsts.values(), len(rows)) else ()


def _is_numbering(numbers: Collection[str], line_count: int) -> bool:
    """Whether these numbers count the lines: each is another, and it is not one of many lines."""
    is_single = len(numbers) == 1 and line_count > 1
    return len(set(numbers)) == len(numbers) and not is_single


def _split_pair(cells: Sequence[str]) -> list[str] | None:
    """The two players and the club if the first cell names both players, else None.

    >>> _split_pair(["Anna & Bert", "SV Au"]), _split_pair(["Anna - Bert"])
    (['Anna', 'Bert', 'SV Au'], ['Anna', 'Bert'])
    >>> _split_pair(["Anna/Bert - SV Au"]), _split_pair(["Hans-Peter"])
    (['Anna', 'Bert', 'SV Au'], None)
    >>> _split_pair(["Anna und Bert (SV Au)"])
    ['Anna', 'Bert', 'SV Au']
    """
    if not cells or len(cells) > 2:
        return None
    names, *club = (
        cells if len(cells) == 2 else map(str.strip, re.split(r"[\t;,]", cells[0], maxsplit=1))
    )
    players = _NAME_SEPARATOR.split(names)
    if len(players) == 1:
        players = _DASH.split(names)
    elif not club:
        last, *club = _DASH.split(players[-1], maxsplit=1)
        if in_brackets := _CLUB_IN_BRACKETS.fullmatch(last):
            last, *club = in_brackets.groups()
        players = [*players[:-1], last]
    return [*players, *club] if len(players) == 2 and all(players) else None


def possible_duplicates(pairs: Sequence[tuple[int, Pair]]) -> list[tuple[int, int]]:
    """Numbers of entries that may be the same: a pair written differently, or a shared player.

    >>> possible_duplicates(
    ...     [(1, Pair("A & B", ("A", "B"))), (2, Pair("b/a")), (3, Pair("C & A", ("C", "A")))]
    ... )
    [(1, 2), (1, 3)]
    """
    first_entries: dict[str, int] = {}
    duplicates = []
    for number, pair in pairs:
        people = people_key(pair.players, pair.name)
        for key in (people, *(f"player {name}" for name in people.split("&") if "&" in people)):
            other = first_entries.setdefault(key, number)
            if other != number and (other, number) not in duplicates:
                duplicates.append((other, number))
    return duplicates


def doubtful_pairs(pairs: Sequence[Pair], singles: bool) -> list[Pair]:
    """The pairs that were probably not read as they were meant.

    >>> read = [Pair("A & B", ("A", "B")), Pair("Huber", ("Sepp; Maier",)), Pair("D", ("D", "D"))]
    >>> [pair.name for pair in doubtful_pairs(read, singles=False)]
    ['Huber', 'D']
    >>> doubtful_pairs([Pair("Huber", ("Huber",), "Josef")], singles=True)[0].club
    'Josef'
    """
    return [pair for pair in pairs if _is_doubtful(pair, singles)]


def _is_doubtful(pair: Pair, singles: bool) -> bool:
    texts = (pair.name, *pair.players, pair.club)
    return (
        any(separator in text for text in texts for separator in ";\t")
        or any(name.isdecimal() for name in (pair.name, *pair.players))
        or (singles and is_given_name(pair.club))
        or (not singles and len(pair.players) == 1 and pair.players != (pair.name,))
        or (len(pair.players) == 2 and is_same_person(*pair.players))
    )


def _rows(text: str) -> Rows:
    """Numbers and cells of the lines that are not empty."""
    lines = _without_line_numbers(text.splitlines())
    # The most frequent separator, as names may contain commas.
    separator = max("\t;,", key=lambda sign: sum(sign in line for line in lines))
    rows = []
    for number, line in enumerate(lines, 1):
        delimiter = next((sign for sign in (separator, *"\t;,") if sign in line), separator)
        cells = [cell.strip() for cell in next(csv.reader([line], delimiter=delimiter), [])]
        while cells and not cells[-1]:
            cells.pop()
        if any(cell.strip("\t;,") for cell in cells):
            rows.append((number, cells))
    return rows


def _without_line_numbers(lines: list[str]) -> list[str]:
    """The lines without leading numbers such as `1.` or `1)`."""
    filled = [line for line in lines if line.strip("\t;, ")]
    numbers = [match[1] for line in filled if (match := _LINE_NUMBER.match(line))]
    are_most = 2 * len(numbers) > len(filled) and len(set(numbers)) > 1
    if not are_most and not _is_numbering(numbers, len(filled)):
        return lines
    return [_LINE_NUMBER.sub("", line) for line in lines]


def _columns_of_headings(cells: Sequence[str]) -> list[str] | None:
    """Meaning of each column if the line has headings, else None."""
    columns = list(map(_column, cells))
    for index, column in enumerate(columns):
        if column in columns[:index]:
            columns[index] = _SECOND_COLUMN_OF.get(column, column)
    # A column headed "name" means something else beside other columns.
    if "given" in columns:
        columns = [{"name": "surname", "name 2": "surname 2"}.get(name, name) for name in columns]
    elif "name 2" in columns:
        columns = [{"name": "first", "name 2": "second"}.get(name, name) for name in columns]
    has_name = {"name", "first", "surname"} & set(columns)
    is_heading_line = all(columns) or sum(map(bool, columns)) > 1
    return columns if has_name and is_heading_line else None


def _column(heading: str) -> str:
    """The column a heading such as `Vorname 2` means, or ""."""
    word = heading.casefold().strip(": ")
    bare = word.rstrip("12").rstrip()
    column = _COLUMN_OF_WORD.get(word) or _COLUMN_OF_WORD.get(bare, "")
    return _SECOND_COLUMN_OF.get(column, column) if word.endswith("2") else column


def _pair(line: _Line) -> Pair:
    where, cells = f"line {line.number}", line.cells
    if line.meanings is None or len(cells) > len(line.meanings):
        raise Unreadable(where, N_("has {count} columns, more than a pair needs"), count=len(cells))
    cell = dict(zip(line.meanings, cells, strict=False))
    name, players = cell.get("name", ""), _players(cell)
    if not players:
        players = (_split_pair([name]) or [])[:2]
        if players and len(name) > MAX_NAME_LENGTH:
            # Two players with long names in one cell: their pair gets a shortened name.
            name = ""
    entries = cell.get("entries") or "1"
    if not entries.isdecimal():
        raise Unreadable(where, N_("{entries} is not a number of lots"), entries=entries)
    texts = {"club": cell.get("club"), "category": cell.get("category")}
    data = {"name": name or None, "players": players, **texts}
    try:
        return entered_pair(where, {**data, "entries": int(entries[:4])})
    except Unreadable as error:
        raise Unreadable(where, error.reason, **error.values) from None


def _players(cell: Mapping[str, str]) -> list[str]:
    """The players of a line, one per column; with separate columns the surname comes first."""
    players = [cell[column] for column in ("first", "second") if cell.get(column)]
    for given, surname in (("given", "surname"), ("given 2", "surname 2")):
        full_name = f"{cell.get(surname, '')} {cell.get(given, '')}".strip()
        players += [full_name] if full_name else []
    return players
