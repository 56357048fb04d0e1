"""The page of a round: its reasons, and corrections of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import attrgetter
from typing import Any, Final

from flask import (
    Blueprint,
    Response,
    abort,
    redirect,
    request,
    url_for,
)
from markupsafe import Markup, escape
from werkzeug.wrappers import Response as AnyResponse

from scorer.engine import (
    Ansage,
    Evening,
    Event,
    Illegal,
    Korrektur,
    NeuesSpiel,
    Strafe,
    Vorschlag,
    legal,
    parse,
)
from scorer.engine.input.strict_json import loads
from scorer.engine.rules.cards import RANKS, SCHLAEGE, SUITS
from scorer.engine.scoring.effective_events import EventPlace
from scorer.engine.scoring.proposals import Proposal
from scorer.engine.telling.correction_cascade import Cascade, cascade_of
from scorer.engine.telling.correction_preview import (
    EntryAbout,
    Preview,
    announcing_correction,
    entries_about,
    first_impossible,
    inserting_correction,
    preview,
    replacing_correction,
)
from scorer.engine.telling.rounds import PlayedRound, round_at
from scorer.engine.telling.slate import SlateLine
from scorer.web.frame import page_responses, remembered_keys
from scorer.web.frame.access import require_holder, tables
from scorer.web.frame.errors import CodedText
from scorer.web.frame.language import use_dialect, with_sign
from scorer.web.frame.translation import gettext
from scorer.web.table.correction_form import correction_form
from scorer.web.table.correction_preview_text import preview_sentence
from scorer.web.table.entry_summary import points_written
from scorer.web.table.event_json import event_json, events_json
from scorer.web.table.event_permissions import sides_of
from scorer.web.table.event_texts import corrected_course, event_text
from scorer.web.table.seat_claim import another_device_speaks
from scorer.web.table.side_sentences import SENTENCES
from scorer.web.table.table_view import TableView

blueprint = Blueprint("round_page", __name__, url_prefix="/b/<key>")
blueprint.add_app_template_global(corrected_course)
blueprint.add_app_template_global(event_text)
blueprint.add_app_template_global(preview_sentence)

MODES = ("replace", "insert", "strike", "announce")
_MAX_PROPOSAL_LETTERS: Final = 80
"""A longer text makes the notice too high for a low screen."""


@dataclass(frozen=True, slots=True)
class CorrectionDraft:
    correction: Korrektur
    course_text: str
    preview: Preview | None
    refusal: CodedText | None = None
    obstacle: PlayedRound | None = None
    """The later round that becomes impossible."""
    cascade: Cascade | None = None
    """Effect on later rounds, if not all remain possible."""
    gains_text: str = ""
    """The points that the round would bring instead of others, such as: Us +2 instead of +3; ""
    if they stay the same."""
    needs_consent: bool = False
    """Whether the other side must agree, since play has begun."""
    proposal: Proposal | None = None
    """The proposal that it is about; None if the reader tries it."""
    only_notes: bool = False
    """Whether it only notes an announcement and changes no points."""

    @property
    def event(self) -> str:
        """The correction as JSON."""
        return event_json(self.correction)


@dataclass(frozen=True, slots=True)
class EntryLine:
    """An entry about a round, as its page lists it."""

    entry: Mapping[str, Any]
    text: str
    is_in_effect: bool


def slate_link_redirect(key: str) -> AnyResponse | None:
    """Redirect from a link on the slate to the round or history; None without one. These links have
    no key, since a slate is rendered once for all viewers."""
    if (event_place := EventPlace.read(request.args.get("round", ""))) is not None:
        return redirect(url_for("round_page.page", key=key, place=event_place), 303)
    if "bummerl" in request.args:
        return redirect(url_for("board.history", key=key), 303)
    return None


@blueprint.get("/round/<place>")
def page(key: str, place: str) -> Response:
    use_dialect()
    holder = require_holder(key)
    table = tables().current(holder.stream)
    evening = table.evening
    requested_place = EventPlace.read(place)
    played_round = None if requested_place is None else round_at(evening, requested_place)
    if played_round is None or not played_round.play:
        abort(404, "unknown-round")
    view = TableView(
        table, says_we=remembered_keys.is_first_writer(holder), reveals_blind=played_round.is_over
    )
    is_seat_elsewhere = another_device_speaks(holder, table)
    speaker = None if is_seat_elsewhere else min(sides_of(holder, "vorschlag"), default=None)
    lines = [line for line in view.lines(played_round.game) if line.step in played_round.steps]
    entries = entries_about(evening, played_round.first_index, played_round.last_index)
    round_place = played_round.play[0].place
    return page_responses.render_page(
        "table/corrections/round.html",
        view=view,
        event_place=requested_place,
        round=played_round,
        lines=lines,
        entry_lines=list(_entry_lines(view, entries)),
        **(_correction_values(view, evening, played_round, lines) if speaker is not None else {}),
        rounds_text=_rounds_text,
        proposed=list(_proposal_drafts(view, evening, played_round)),
        dispute=next((d for d in view.disputes.open if d.place == round_place), None),
        settled_dispute=next(
            (d for d in view.disputes.settled[::-1] if d.place == round_place), None
        ),
        speaker=speaker,
        is_seat_elsewhere=is_seat_elsewhere,
    )


def _correction_values(
    view: TableView, evening: Evening, played_round: PlayedRound, lines: Sequence[SlateLine]
) -> dict[str, Any]:
    """Template values for a reader who may correct the round, or propose it."""
    mode = request.args.get("mode")
    tried_events = request.args.get("events", "") if mode in MODES else None
    penalties = _penalties(view, played_round)
    recorded_events = events_json(step.event for step in played_round.play)
    chosen = recorded_events if tried_events is None else tried_events
    return {
        "correction_form": correction_form(view, played_round, lines, tried_events),
        "inserts": mode == "insert",
        "strikes": mode == "strike",
        "penalties": penalties,
        "chosen_penalty": next(
            (events for _, by_side in penalties for _, events in by_side if events == chosen), ""
        ),
        "announced": _announcement_choices(view, played_round),
        "draft": _draft_from_query(view, evening, played_round),
    }


def _announcement_choices(view: TableView, played_round: PlayedRound) -> dict[str, Any] | None:
    if not played_round.is_over:
        return None
    last = played_round.play[-1].before
    ranks = SCHLAEGE if view.rules.deck == 33 else RANKS
    return {
        "schlag": ([(rank, view.rank(rank)) for rank in ranks], last.schlag),
        "trumpf": ([(suit, view.suit(suit)) for suit in SUITS], last.trumpf),
    }


def _penalties(
    view: TableView, played_round: PlayedRound
) -> list[tuple[str, list[tuple[int, str]]]]:
    """Offences that may have ended the round: (name, [(side, events as JSON)])."""
    grouped: dict[str, list[tuple[int, str]]] = {}
    for event in legal(played_round.opening_state):
        if isinstance(event, Strafe) and event.offence != "sonstige":
            choices = grouped.setdefault(view.offence(event.offence), [])
            choices.append((event.side, events_json([event])))
    return list(grouped.items())


def _draft_from_query(
    view: TableView, evening: Evening, played_round: PlayedRound
) -> CorrectionDraft | None:
    """The correction in the query, or None. If later rounds become impossible, it also strikes them
    out."""
    mode = request.args.get("mode")
    if mode not in MODES or (mode == "insert" and "events" not in request.args):
        return None
    if mode == "announce":
        return _announcement_draft(view, evening, played_round)
    draft = _draft(view, evening, _correction(evening, mode, played_round))
    if draft.cascade is None:
        return draft
    cascade_draft = _draft(view, evening, draft.cascade.correction)
    return replace(
        cascade_draft, refusal=draft.refusal, obstacle=draft.obstacle, cascade=draft.cascade
    )


def _announcement_draft(
    view: TableView, evening: Evening, played_round: PlayedRound
) -> CorrectionDraft | None:
    """The announcement in the query, or None.

    :raises Unreadable: no such Schlag or trump
    """
    fields = {name: request.args.get(name) or None for name in ("schlag", "trumpf")}
    if not played_round.is_over or not any(fields.values()):
        return None
    announcement = parse({"do": Ansage.do, **fields})
    assert isinstance(announcement, Ansage)
    draft = _draft(view, evening, announcing_correction(evening, played_round, announcement))
    return replace(draft, course_text=event_text(view, announcement), only_notes=True)


def _entry_lines(view: TableView, entries: Iterable[EntryAbout]) -> Iterator[EntryLine]:
    """Entries about a round, each with the points that it wrote, or would have changed."""
    replayed = Evening(view.evening.head)
    for entry in entries:
        for earlier in view.evening.recorded[len(replayed.recorded) : entry.recorded_index]:
            replayed.push(earlier)
        event = parse(entry.entry)
        correction = event.correction if isinstance(event, Vorschlag) else event
        if isinstance(correction, Korrektur):
            points = _draft(view, replayed, correction).gains_text
        else:
            points = "" if event.is_statement else _points_text(view, replayed, event)
        text = event_text(view, event)
        line = f"{text} ({points})" if points else text
        yield EntryLine(entry.entry, line, entry.is_in_effect)


def _points_text(view: TableView, evening: Evening, event: Event) -> str:
    """The points that the event writes; "" if its own text has them. Names a side unless it is the
    event's own."""
    state = evening.after([event.to_json()]).state
    gains = points_written(evening.state, state)
    own_side = getattr(event, "side", None)
    if gains == {own_side: getattr(event, "stake", None)}:
        return ""
    return ", ".join(
        with_sign(points) if side == own_side else f"{view.name(side)} {with_sign(points)}"
        for side, points in gains.items()
    )


def _proposal_drafts(
    view: TableView, evening: Evening, played_round: PlayedRound
) -> Iterator[CorrectionDraft]:
    for proposal in evening.proposals.open:
        if played_round.first_index <= proposal.correction.of <= played_round.last_index:
            yield replace(_draft(view, evening, proposal.correction), proposal=proposal)


@blueprint.app_template_global()
def proposal_text(view: TableView, proposal: Proposal, reader: int) -> Markup:
    """The proposal of a side, if it is short, and in small print the score it would lead to.

    :param reader: the side that may accept it
    """
    correction = proposal.correction
    played_round = round_at(view.evening, EventPlace(correction.of))
    assert played_round is not None
    if played_round.game == view.state.game:
        name = gettext("Round %(n)s", n=played_round.number)
    else:
        name = gettext(
            "Game %(game)s, round %(number)s", game=played_round.game, number=played_round.number
        )
    course = corrected_course(view, correction)
    draft = _draft(view, view.evening, correction)
    text = view.say(
        SENTENCES["proposed"], proposal.side, round=name, change=draft.gains_text or course
    )
    if len(text) > _MAX_PROPOSAL_LETTERS and draft.gains_text:
        text = gettext("Proposed for %(round)s: %(change)s", round=name, change=draft.gains_text)
    if len(text) > _MAX_PROPOSAL_LETTERS:
        text = gettext("%(round)s: a change waits for a yes", round=name)
    sentence = escape(f"{text}.")
    if draft.preview is None:
        return sentence
    preview_text = preview_sentence(view, correction, draft.preview, reader)
    return sentence + Markup(" <small>{}.</small>").format(preview_text)


def _draft(view: TableView, evening: Evening, correction: Korrektur) -> CorrectionDraft:
    course = corrected_course(view, correction)
    try:
        preview_result = preview(evening, correction)
    except Illegal as refusal:
        reason = _impossible_text(view, evening, refusal)
        obstacle = first_impossible(evening, correction, refusal)
        return CorrectionDraft(
            correction, course, None, reason, obstacle, cascade_of(evening, correction)
        )
    needs_consent = evening.needs_consent(correction)
    return CorrectionDraft(
        correction,
        course,
        preview_result,
        gains_text=_gains_text(view, correction, preview_result),
        needs_consent=needs_consent,
    )


def _gains_text(view: TableView, correction: Korrektur, preview: Preview) -> str:
    first_change = next(iter(preview.changes), None)
    if first_change is None or first_change.old is None or first_change.new is None:
        return ""
    is_round = first_change.old.first_index <= correction.of <= first_change.old.step.original_index
    old, new = (
        [(side, delta) for side, delta in enumerate(line.deltas) if delta]
        for line in (first_change.old, first_change.new)
    )
    if not is_round or old == new or len(old) != 1 or len(new) != 1:
        return ""
    [(old_side, old_gain)], [(side, gain)] = old, new
    old_text = with_sign(old_gain)
    if old_side != side:
        old_text = f"{view.name(old_side)} {old_text}"
    new_text = f"{view.name(side)} {with_sign(gain)}"
    return gettext("%(new)s instead of %(old)s", new=new_text, old=old_text)


def _correction(evening: Evening, mode: str, played_round: PlayedRound) -> Korrektur:
    if mode == "strike":
        return replacing_correction(evening, played_round, ())
    data = loads(request.args.get("events", ""))
    if not isinstance(data, list):
        abort(400)
    events = [parse(event) for event in data]
    if mode == "insert":
        return inserting_correction(evening, played_round, events)
    return replacing_correction(evening, played_round, events)


def _impossible_text(view: TableView, evening: Evening, refusal: Illegal) -> CodedText:
    """Why a correction is impossible, and at which later round or game."""
    reason = view.refusal_text(refusal)
    step = next((step for step in evening.steps if step.original_index == refusal.event), None)
    if step is None:
        return CodedText(reason, refusal.code)
    if isinstance(step.event, NeuesSpiel):
        game = step.after.game
        text = gettext("Game %(n)s could then not have begun: %(reason)s", n=game, reason=reason)
        return CodedText(text, refusal.code, f"game {game}")
    number = step.before.round
    text = gettext("Round %(n)s would then be impossible: %(reason)s", n=number, reason=reason)
    return CodedText(text, refusal.code, f"round {number}")


def _rounds_text(rounds: Iterable[PlayedRound]) -> str:
    """Round numbers, by game."""
    games = groupby(rounds, attrgetter("game"))
    return "; ".join(
        _game_rounds_text(game, [one.number for one in game_rounds]) for game, game_rounds in games
    )


def _game_rounds_text(game: int, numbers: list[int]) -> str:
    if len(numbers) == 1:
        return gettext("Game %(game)s, round %(number)s", game=game, number=numbers[0])
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    numbers_text = ", ".join(f"{run[0]}–{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)
    return gettext("Game %(game)s, rounds %(numbers)s", game=game, numbers=numbers_text)
