"""The list of pairs: entering, importing, accepting, changing and removing them."""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from flask import Blueprint, Response, abort, current_app, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorer.engine import Illegal, Unreadable
from scorer.engine.aggregate import apply
from scorer.engine.translatable import N_
from scorer.platforms import Platform
from scorer.tournament import Tournament
from scorer.tournament.entrants import Entrant
from scorer.tournament.event_types.registrations import Aufnahme, require_registration_allowed
from scorer.tournament.name_matching import is_same_person
from scorer.tournament.pair_import import (
    ImportedList,
    decode_file,
    doubtful_pairs,
    possible_duplicates,
    read_list,
)
from scorer.tournament.pairs import Pair, default_pair_name, default_pair_names, entered_pair
from scorer.web.frame import page_responses, remembered_keys, resent_forms
from scorer.web.frame.access import KeyHolder, require_director, require_door_desk, tournaments
from scorer.web.frame.csv_files import csv_file
from scorer.web.frame.errors import CodedText
from scorer.web.frame.htmx import page_or_redirect
from scorer.web.frame.json_body import whole_number
from scorer.web.frame.rate_limits import RUN_TOURNAMENT
from scorer.web.frame.refusals import Refused, form_route
from scorer.web.frame.translation import gettext
from scorer.web.tournament.error_handlers import coded_text
from scorer.web.tournament.event_forms import submit
from scorer.web.tournament.result_signatures import sign_up_origin
from scorer.web.tournament.standings_view import extra_points
from scorer.web.tournament.tournament_view import TournamentView, view_of
from scorer.web.tournament.visitors import pairs_named

blueprint = Blueprint("pairs", __name__, url_prefix="/p/<key>")


def _is_away(tournament: Tournament, entrant: Entrant) -> bool:
    has_played = any(
        match.result and any(entrant.number in side for side in match.sides)
        for round_ in tournament.rounds
        for match in round_.matches.values()
    )
    return not (entrant.withdrawn or entrant.here or has_played)


FILTERS: Final[Mapping[str, tuple[str, Callable[[Tournament, Entrant], bool]]]] = {
    "away": (N_("not here"), _is_away),
    "unpaid": (N_("not paid"), lambda _, entrant: not (entrant.withdrawn or entrant.paid)),
}
"""The filters of the list, by their value in the address: name and condition."""


@blueprint.get("/pairs")
def page(key: str) -> Response:
    view = view_of(require_door_desk(key))
    listed = view.tournament.listed
    search_text = request.values.get("find", "").strip()[:60]
    chosen = request.args.get("show", "")
    if search_text:
        matching = pairs_named(view, search_text)
        shown_entrants = [entrant for entrant in listed if entrant.number in matching]
    elif chosen in FILTERS:
        shown_entrants = [
            entrant for entrant in listed if FILTERS[chosen][1](view.tournament, entrant)
        ]
    else:
        shown_entrants = listed
    html = render_template(
        "tournament/pairs.html",
        view=view,
        shown=shown_entrants,
        chosen="" if search_text else chosen,
        filters=[
            (name, text, sum(matches(view.tournament, entrant) for entrant in listed))
            for name, (text, matches) in FILTERS.items()
        ],
        asked=search_text,
        arrived=sign_up_origin,
        refused=_refusal_texts(view.tournament, view.tournament.waiting_list),
        filled=request.form,
        entered=request.args.get("entered", 0, type=int),
        newest=entry_status(view.tournament, request.args.get("name", "")),
        saved_name=_name_of(view.tournament, request.args.get("saved", 0, type=int)),
        paired=listed[-lots:] if (lots := request.args.get("lots", 0, type=int)) > 0 else [],
        just_withdrawn=_withdrawn(view.tournament, request.args.get("withdrawn", 0, type=int)),
    )
    return remembered_keys.remember(
        page_responses.response_with_secret(html), key, remembered_keys.TOURNAMENTS_COOKIE
    )


def entry_status(tournament: Tournament, name: str) -> str:
    """The entry of a pair or a player with this name, as a sentence with its number; else ""."""
    for entrant in reversed(tournament.listed):
        if entrant.pair.name == name:
            return _entered_as(entrant)
    if any(single.name == name for single in tournament.singles):
        return gettext("Entered: %(name)s waits for a partner.", name=name)
    return next((_entered_as(e) for e in tournament.listed if name in e.pair.players), "")


def _entered_as(entrant: Entrant) -> str:
    return gettext("Entered as no. %(n)s: %(name)s", n=entrant.number, name=entrant.pair.name)


def _name_of(tournament: Tournament, number: int) -> str:
    """Number and name of a pair, and the points that the director has added or taken."""
    entrant = tournament.entrants.get(number)
    if entrant is None:
        return ""
    name = f"{number} · {entrant.pair.name}"
    return f"{name}, {extra_points(entrant)}" if entrant.extra else name


def _withdrawn(tournament: Tournament, number: int) -> Entrant | None:
    """The pair of this number if it has withdrawn."""
    entrant = tournament.entrants.get(number)
    return entrant if entrant is not None and entrant.withdrawn else None


def _redirect_to_list(key: str, **values: Any) -> AnyResponse:
    """Redirect to the list."""
    return page_or_redirect(url_for("pairs.page", key=key, **values))


def pair_of_form() -> dict[str, Any]:
    """The pair of a form.

    :raises Refused: both players have the same name
    """
    form = request.form
    players = [name for name in map(str.strip, form.getlist("player")) if name]
    if len(players) == 2 and is_same_person(*players):
        text = gettext(
            "Both players are called “%(name)s”. Tell them apart, for example by sen. and jun.",
            name=players[0],
        )
        raise Refused(CodedText(text, "same-player"))
    return {
        "name": form.get("name", "").strip(),
        "players": players,
        "club": form.get("club", "").strip(),
        "category": form.get("category", "").strip(),
        "entries": whole_number(form.get("entries", "") or "1"),
    }


@form_route(blueprint, "/pairs", RUN_TOURNAMENT, "pairs.page")
def add(key: str) -> AnyResponse:
    holder, entry = require_door_desk(key), pair_of_form()
    enter(holder, entry)
    name = entry["name"] or default_pair_name(entry["players"])
    # Browsers do not focus the next entry's field if the address has a fragment.
    return _redirect_to_list(key, name=name)


def enter(holder: KeyHolder, entry: dict[str, Any], waiting: bool = False) -> None:
    """Enter a pair, or a player without a partner.

    :param waiting: put it on the waiting list
    :raises Refused: it may be on the list already
    :raises Unreadable: the fields are invalid
    :raises Illegal: entering is not allowed now
    """
    service = tournaments()
    tournament = service.current(holder.stream)
    event = _entry_event(tournament, entry)
    is_repeated = (
        service.store.find_recorded(holder.stream, resent_forms.form_idempotency_key(holder.stream))
        is not None
    )
    checks_duplicates = event["do"] == "anmeldung" and not (is_repeated or waiting)
    if checks_duplicates and request.form.get("sure") != "1":
        _check_no_duplicate(tournament, event["entry"])
    submit(holder, holder.stream, {**event, "waiting": True} if waiting else event)


def _check_no_duplicate(tournament: Tournament, entry: dict[str, Any]) -> None:
    """Check that neither the pair nor one of its players seems to be on the list.

    :raises Refused: with a question, if one does
    :raises Unreadable: the fields are invalid
    """
    pair = entered_pair("entry", entry)
    entries = [(e.number, e.pair) for e in tournament.listed if not e.withdrawn]
    for listed_number, number in possible_duplicates([*entries, (0, pair)]):
        if number == 0 and tournament.entrants[listed_number].pair.name != pair.name:
            name = f"{listed_number} · {tournament.entrants[listed_number].pair.name}"
            text = gettext("Is this the same as %(name)s, or the same player twice?", name=name)
            raise Refused(CodedText(text, "twice"))


@form_route(blueprint, "/pairs/list", RUN_TOURNAMENT, "pairs.page")
def add_list(key: str) -> AnyResponse:
    """Show a preview of a pasted or uploaded list; enter all its pairs once confirmed, or return to
    the form with its text. With `singles`, lines with one name are players without a partner.
    """
    if "back" in request.form:
        return page(key)
    holder, service = require_director(key), tournaments()
    file = request.files.get("file")
    idempotency_key = resent_forms.form_idempotency_key(holder.stream)
    is_repeated = service.store.find_recorded(holder.stream, f"{idempotency_key}:0") is not None
    tournament = service.current(holder.stream)
    clubs = {entrant.pair.name: entrant.pair.club for entrant in tournament.listed}
    platform: Platform = current_app.extensions["platform"]
    if file and file.filename:
        text = decode_file(file.read(), platform.workbook_text)
    else:
        text = request.form.get("list", "")
    # Sent again, the names are on the list and would be refused.
    imported = read_list(
        text, {} if is_repeated else clubs, tournament.settings.format == "partners"
    )
    if not imported.pairs:
        raise Unreadable(
            "list", N_("is on the list already") if imported.known else N_("is missing")
        )
    if not is_repeated:
        require_registration_allowed(tournament, sum(pair.entries for pair in imported.pairs))
    if not is_repeated and request.form.get("take") != "1":
        return _preview(holder, tournament, imported)
    for number, pair in enumerate(imported.pairs):
        # Sent again, each pair is recorded only once.
        entry = _entry_of(pair)
        if request.form.get("singles") == "1" and not pair.players:
            entry = {**entry, "name": "", "players": [pair.name]}
        submit(holder, holder.stream, _entry_event(tournament, entry), f":{number}")
    return _redirect_to_list(key, entered=len(imported.pairs))


def _entry_event(tournament: Tournament, entry: Mapping[str, Any]) -> dict[str, Any]:
    """The event that enters a pair, called by its players if it has no name; a player without a
    partner and a name waits for a partner.
    """
    name, players = entry["name"], entry["players"]
    if not name and len(players) == 1 and tournament.settings.format != "partners":
        return {"do": "einzeln", "name": players[0], "club": entry.get("club", "")}
    return {"do": "anmeldung", "entry": {**entry, "name": name or default_pair_name(players)}}


def _entry_of(pair: Pair) -> dict[str, Any]:
    """A pair of a list as an entry; a single player's own name is no name of a pair."""
    entry = pair.to_json()
    return {**entry, "name": ""} if pair.players == (pair.name,) else entry


def _preview(holder: KeyHolder, tournament: Tournament, imported: ImportedList) -> Response:
    """The preview of a list, with possible duplicates."""
    first_number = len(tournament.entrants) + 1
    entries = [(e.number, e.pair) for e in tournament.listed if not e.withdrawn]
    waiting = [
        (-signed.number, signed.pair)
        for signed in tournament.waiting_list.values()
        if signed.pair is not None
    ]
    numbered_pairs = list(enumerate(imported.pairs, first_number))
    names = {number: pair.name for number, pair in [*entries, *numbered_pairs]}
    duplicates = [
        two
        for two in possible_duplicates([*waiting, *entries, *numbered_pairs])
        if two[1] >= first_number
    ]
    return page_responses.render_page(
        "tournament/preview.html",
        view=TournamentView(tournament, holder.key, holder.role),
        read=imported,
        new=numbered_pairs,
        meant=[gettext(COLUMN_MEANINGS[column]) for column in imported.columns if column],
        twice=[(names[a], names[b]) for a, b in duplicates if a > 0],
        waiting=[names[b] for a, b in duplicates if a < 0],
        alone=sum(
            _entry_event(tournament, _entry_of(pair))["do"] == "einzeln" for pair in imported.pairs
        ),
        has_own_names=any(
            pair.players and pair.name != " & ".join(pair.players) for pair in imported.pairs
        ),
        doubtful=[
            f"{pair.name} ({' · '.join(filter(None, (*pair.players, pair.club)))})"
            for pair in doubtful_pairs(imported.pairs, tournament.settings.format == "partners")
        ],
        one_name=_pairs_with_one_name(tournament, imported.pairs),
        text=csv_text(imported.pairs),
        typed=request.form.get("list", ""),
        token=request.form.get("token", ""),
    )


def _pairs_with_one_name(tournament: Tournament, pairs: Sequence[Pair]) -> list[str]:
    """Names that are entered as a pair's without its players."""
    if tournament.settings.format == "partners":
        return []
    return [pair.name for pair in pairs if not pair.players]


COLUMN_MEANINGS: Final = {
    "name": N_("Pair"),
    "first": N_("Player 1"),
    "second": N_("Player 2"),
    "surname": N_("Surname"),
    "given": N_("First name"),
    "surname 2": N_("Surname of the second"),
    "given 2": N_("First name of the second"),
    "club": N_("Club or village"),
    "entries": N_("Lots"),
    "category": N_("Category"),
    "number": N_("Number (a new one if left empty)"),
}


def csv_text(pairs: Sequence[Pair]) -> str:
    """Pairs as CSV for `read_list`; without headings if players and clubs are enough."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=";", lineterminator="\n")
    plain = all(
        pair == Pair(default_pair_name(pair.players), pair.players, pair.club) for pair in pairs
    )
    if plain and all(len(pair.players) == 2 for pair in pairs):
        writer.writerows([*pair.players, pair.club] for pair in pairs)
        return text.getvalue()
    writer.writerow(_heads())
    writer.writerows(map(_cells, pairs))
    return text.getvalue()


def _heads() -> list[str]:
    """Translated headings that `read_list` recognises."""
    player = gettext("Player")
    heads = [gettext("Pair"), f"{player} 1", f"{player} 2"]
    return [*heads, gettext("Club or village"), gettext("Lots"), gettext("Category")]


def _cells(pair: Pair) -> list[Any]:
    """A pair's cells below `_heads`."""
    players = [*pair.players, "", ""][:2]
    return [pair.name, *players, pair.club, pair.entries, pair.category]


@form_route(blueprint, "/pairs/signed", RUN_TOURNAMENT, "pairs.page")
def answer(key: str) -> AnyResponse:
    """Accept or remove the selected entries of the waiting list."""
    holder = require_door_desk(key)
    do = "aufnahme" if request.form.get("do") == "aufnahme" else "ablehnung"
    signed = [whole_number(number) for number in request.form.getlist("signed")]
    if do == "aufnahme":
        signed = _acceptable(holder, signed)
    submit(holder, holder.stream, {"do": do, "signed": signed})
    return _redirect_to_list(key, _anchor="signed")


def _acceptable(holder: KeyHolder, signed: list[int]) -> list[int]:
    """The selected entries that can be accepted; all if none can, so that the refusal is shown.

    A form that is sent again gives the same result as the first time.
    """
    service = tournaments()
    repeated = service.store.find_recorded(
        holder.stream, resent_forms.form_idempotency_key(holder.stream)
    )
    if repeated is not None and repeated.event["do"] == "aufnahme":
        return [number for number in signed if number in repeated.event["signed"]]
    refusal_texts = _refusal_texts(service.current(holder.stream), signed)
    return [number for number in signed if number not in refusal_texts] or signed


def _refusal_texts(tournament: Tournament, signed: Iterable[int]) -> dict[int, str]:
    """Reasons by number for the entries that cannot be accepted, in order of acceptance."""
    texts: dict[int, str] = {}
    for number in signed:
        try:
            tournament = apply(tournament, Aufnahme((number,)))
        except (Unreadable, Illegal) as error:
            texts[number] = coded_text(error)
    return texts


@form_route(blueprint, "/pairs/strike", RUN_TOURNAMENT, "pairs.page")
def strike(key: str) -> AnyResponse:
    holder = require_director(key)
    pairs = [whole_number(number) for number in request.form.getlist("pairs")]
    submit(holder, holder.stream, {"do": "streichung", "pairs": pairs})
    return _redirect_to_list(key)


@form_route(blueprint, "/pairs/<int:number>", RUN_TOURNAMENT, "pairs.page")
def change(key: str, number: int) -> AnyResponse:
    """Rename, mark, withdraw or bring back a pair, leave its games out, or add points."""
    holder, service = require_door_desk(key), tournaments()
    body: dict[str, Any] = {"do": request.form.get("do", ""), "pair": number}
    match body["do"]:
        case "vermerk":
            mark = request.form.get("mark", "")
            marks = MARKS.get(mark) or abort(400)
            form_key, by = resent_forms.form_key_and_author(holder)
            # One token serves all buttons of a pair, and a second one may be tapped before the
            # first is answered.
            service.mark(holder.stream, number, marks, idempotency_key=f"{form_key}:{mark}", by=by)
        case "aenderung":
            entry = _changed_entry(service.current(holder.stream), number)
            submit(holder, holder.stream, {**body, "entry": entry})
        case "abmeldung" | "rueckkehr":
            submit(holder, holder.stream, body)
        case "annul" | "count":
            annulled = body["do"] == "annul"
            submit(holder, holder.stream, {**body, "do": "abmeldung", "annulled": annulled})
        case "trennung":
            other = whole_number(request.form.get("other", ""))
            apart = request.form.get("apart") != "0"
            submit(holder, holder.stream, {**body, "other": other, "apart": apart})
        case "punkte":
            points = _signed_number(request.form.get("points", ""))
            reason = request.form.get("reason", "").strip()
            submit(holder, holder.stream, {**body, "points": points, "reason": reason})
        case _:
            abort(400)
    list_shown = {name: request.form.get(name) or None for name in ("find", "show")}
    if body["do"] in ("abmeldung", "annul", "count"):
        # The page begins with the question whether that was meant.
        return _redirect_to_list(key, **list_shown, withdrawn=number)
    saved = number if body["do"] != "vermerk" else None
    return _redirect_to_list(key, **list_shown, saved=saved, _anchor=f"pair-{number}")


def _signed_number(typed: str) -> Any:
    """The number in `typed`, which may have a sign; 0 if empty. Other text stays as it is, and the
    event's reader refuses it.

    >>> _signed_number(" −10 "), _signed_number("+5"), _signed_number(""), _signed_number("x")
    (-10, 5, 0, 'x')
    """
    text = typed.strip().replace("−", "-")
    number = whole_number(text.lstrip("+-") or "0")
    return -number if text.startswith("-") and isinstance(number, int) else number


def _changed_entry(tournament: Tournament, number: int) -> dict[str, Any]:
    """The pair of the form; a name made of its players' names is renewed.

    A pair that was entered with one name has it as its first player once the second is typed.
    """
    entry = pair_of_form()
    entrant = tournament.entrants.get(number)
    old_players = entrant.pair.players if entrant else ()
    first, *_ = request.form.getlist("player") or [""]
    gets_partner = len(entry["players"]) == 1 and not first.strip() and not old_players
    if entrant and gets_partner and entry["name"] == entrant.pair.name:
        entry |= {"name": "", "players": [entrant.pair.name, *entry["players"]]}
    if entrant and entry["name"] == entrant.pair.name in default_pair_names(old_players):
        entry["name"] = ""
    return {**entry, "name": entry["name"] or default_pair_name(entry["players"])}


MARKS: Final = {
    "paid": {"paid": True},
    "unpaid": {"paid": False},
    "here": {"here": True},
    "away": {"here": False},
    "came": {"paid": True, "here": True},
}
"""Changes made by the buttons next to a pair."""


@form_route(blueprint, "/pairs/lot", RUN_TOURNAMENT, "pairs.page")
def pair_singles(key: str) -> AnyResponse:
    """Pair the single players by lot; an odd one keeps waiting."""
    holder = require_director(key)
    tournament = tournaments().current(holder.stream)
    entries = _pairs_by_lot(tournament)
    entry_data = [pair.to_json() for pair in entries]
    submit(holder, holder.stream, {"do": "zulosung", "entries": entry_data})
    return _redirect_to_list(key, lots=len(entries))


def _pairs_by_lot(tournament: Tournament) -> list[Pair]:
    waiting = list(tournament.singles)
    random.Random(f"{tournament.settings.seed}/singles/{len(tournament.recorded)}").shuffle(waiting)
    pairs = []
    for first, second in zip(waiting[::2], waiting[1::2], strict=False):
        club = first.club if first.club == second.club else ""
        pairs.append(entered_pair("pair", {"players": [first.name, second.name], "club": club}))
    return pairs


@blueprint.get("/pairs.csv")
def as_csv(key: str) -> Response:
    """The list as CSV; `read_list` reads it."""
    holder = require_director(key)
    rows: list[list[Any]] = [[*_heads()]]
    tournament = tournaments().current(holder.stream)
    rows += [_cells(entrant.pair) for entrant in tournament.entrants.values()]
    return csv_file("pairs", rows)
