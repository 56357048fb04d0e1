"""The view shared by all tournament pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import cached_property

from markupsafe import Markup

from scorer.book.helper_links import parse_helper_role
from scorer.engine import Illegal
from scorer.store.roles import DIRECTOR, HALL_VIEWER
from scorer.tournament import Match, Round, Tournament
from scorer.tournament.bracket import (
    BracketColumn,
    BracketPart,
    Feeder,
    Qualifier,
    bracket,
    bracket_parts,
    planned_finals,
    remaining_pair_count,
    rounds_to_draw,
)
from scorer.tournament.deciders import UndecidedTie
from scorer.tournament.english_sentences import NOTES
from scorer.tournament.entrants import Entrant
from scorer.tournament.event_types.draws import open_lots
from scorer.tournament.event_types.registrations import (
    require_annulment_allowed,
    require_points_allowed,
)
from scorer.tournament.knockout import remaining_lots
from scorer.tournament.pair_import import possible_duplicates
from scorer.tournament.pairs import whole_name
from scorer.tournament.prize_winners import category_names
from scorer.tournament.registration_deadline import require_registration_open
from scorer.tournament.round_robin import round_count
from scorer.tournament.settings import CIRCLES
from scorer.web.frame.access import KeyHolder, tournaments
from scorer.web.frame.entry_times import shown_time
from scorer.web.frame.errors import CodedText
from scorer.web.frame.language import labelled, words
from scorer.web.frame.money import euros
from scorer.web.frame.translation import gettext, ngettext, pgettext
from scorer.web.tournament.error_handlers import coded_text
from scorer.web.tournament.group_plan import GroupPlan, coming_groups, planned_groups
from scorer.web.tournament.labels import (
    STAGE_NAMES,
    STATUS_NAMES,
    UNFINISHED_NAMES,
    helper_text,
)
from scorer.web.tournament.live_scores import LiveScores
from scorer.web.tournament.match_texts import MatchTexts
from scorer.web.tournament.next_round import NextRound, table_numbers
from scorer.web.tournament.prize_giving import PrizeGiving
from scorer.web.tournament.standings_view import StandingsView, absence_text, extra_points
from scorer.web.tournament.visibility import awaits_prize_giving, seen_by


class TournamentView:
    """A tournament for its templates: names, states and scores in words."""

    def __init__(self, tournament: Tournament, key: str, role: str) -> None:
        self.awaits_prize_giving = awaits_prize_giving(tournament, role)
        """Whether the results of the last round are shown only at the prize-giving."""
        self.held_back = self.awaits_prize_giving and not tournament.without_draft.unfinished
        """Whether the last round is played but not shown yet."""
        hidden_tables = _hidden_tables(tournament) if self.awaits_prize_giving else set[int]()
        without_draft = tournament.without_draft
        self.tournament = tournament = seen_by(tournament, role)
        self.settings = tournament.settings
        self.key, self.role = key, role
        self.helper = parse_helper_role(role)
        self.seq = len(tournament.recorded)
        self.words = words(self.settings.rules.id)
        self.standings = StandingsView(tournament)
        self.prize_giving = PrizeGiving(
            StandingsView(without_draft) if self.awaits_prize_giving else self.standings
        )
        self.next_round = NextRound(tournament)
        self.newest = self.next_round.newest
        self.partners = self.settings.format == "partners"
        """Whether single players enter and partners are drawn."""
        self.texts = MatchTexts(tournament, self.standings.groups, hidden_tables)
        self.live_scores = LiveScores(tournament)

    @property
    def shows_called_places(self) -> bool:
        """Whether a visitor sees the places that the prize-giving has called out."""
        return self.held_back and bool(self.prize_giving.calls_made)

    @property
    def helper_text(self) -> str:
        """The number and the work of the helper who sees the page."""
        return helper_text(self.helper) if self.helper else ""

    @cached_property
    def visitors_key(self) -> str:
        """The viewer's key that is sealed for a helper, or ""."""
        return (tournaments().store.unseal(self.key, HALL_VIEWER) or "") if self.helper else ""

    @cached_property
    def boards(self) -> Mapping[str, str]:
        """Keys of the tables' boards by stream, for the hall."""
        return tournaments().keyrings.board_keys(self.key) if self.role == HALL_VIEWER else {}

    def name(self, pair: int) -> str:
        return self.tournament.entrants[pair].pair.name

    def whole_name(self, pair: int) -> str:
        """The players' full names, for printouts and announcements."""
        return whole_name(self.tournament.entrants[pair].pair)

    def remarks(self, entrant: Entrant) -> list[str]:
        """Small print next to a pair: club, category, lots, withdrawn or absent."""
        lots = entrant.pair.entries
        parts = [
            entrant.pair.club,
            entrant.pair.category,
            ngettext("%(num)s lot", "%(num)s lots", lots) if lots > 1 else "",
            absence_text(entrant),
            extra_points(entrant) if entrant.extra else "",
        ]
        return [part for part in parts if part]

    def kept_apart(self, entrant: Entrant) -> list[Entrant]:
        """The pairs that the draw keeps from meeting this one."""
        others = {n for two in self.tournament.kept_apart if entrant.number in two for n in two}
        return [self.tournament.entrants[n] for n in sorted(others - {entrant.number})]

    @cached_property
    def categories(self) -> list[str]:
        """The categories that pairs can play for."""
        return category_names(self.tournament)

    def club(self, pair: int) -> str:
        return self.tournament.entrants[pair].pair.club

    @property
    def subtitle(self) -> str:
        parts = (self.settings.place, self.settings.date, self.words["name"])
        return " · ".join(part for part in parts if part)

    def title(self, round_: Round) -> str:
        """The name of a round, with the number of rounds if it is fixed."""
        if round_.stage not in ("rounds", "groups"):
            return self.round_name(round_)
        return gettext("Round %(n)s of %(all)s", n=round_.number, all=self._planned_rounds(round_))

    def _planned_rounds(self, round_: Round) -> int:
        count = self.settings.rounds
        if self.settings.format in ("redraw", "partners"):
            return count
        return min(count, round_count(round_.circles))

    def coming_title(self, match_count: int) -> str:
        """The name of a final round that is not drawn yet."""
        return gettext(STAGE_NAMES[2 * match_count]) if 2 * match_count in STAGE_NAMES else "…"

    def coming_side(self, feeder: Feeder) -> str:
        """A side of a final that is not drawn yet: a place, or the winner of `feeder`."""
        if feeder is None:
            return "…"
        if isinstance(feeder, Qualifier):
            return self._qualifier(feeder)
        if feeder.is_decided:
            return self.texts.side_with_lot(feeder, feeder.winner)
        return gettext("Winner of table %(table)s", table=self.texts.table_label(feeder))

    def _qualifier(self, qualifier: Qualifier) -> str:
        if qualifier.group:
            group = gettext("Group %(n)s", n=qualifier.group)
            return labelled(group, gettext("Place %(n)s", n=qualifier.place))
        if qualifier.in_group:
            return gettext("Place %(n)s of a group", n=qualifier.place)
        return gettext("Place %(n)s", n=qualifier.place)

    def coming_side_for_third(self, feeder: Feeder) -> str:
        """A side of the game for the third place that is not drawn yet: the loser of `feeder`."""
        if not isinstance(feeder, Match):
            return "…"
        if feeder.is_decided:
            return self.texts.side_with_lot(feeder, 1 - feeder.winner)
        return gettext("Loser of table %(table)s", table=self.texts.table_label(feeder))

    def round_name(self, round_: Round) -> str:
        pair_count = remaining_pair_count(round_)
        if pair_count in STAGE_NAMES:
            return gettext(STAGE_NAMES[pair_count])
        # A round within a game is another word in other languages.
        return pgettext("tournament", "Round %(n)s", n=round_.number)

    def short_round(self, number: int) -> str:
        """The name of a late knock-out round, or the number of another one."""
        is_drawn = number <= len(self.tournament.rounds)
        round_ = self.tournament.round(number) if is_drawn else None
        has_name = round_ is not None and remaining_pair_count(round_) in STAGE_NAMES
        return self.round_name(round_) if round_ and has_name else str(number)

    def round_names(self, rounds: Sequence[Round]) -> str:
        return ", ".join(map(self.round_name, rounds))

    @property
    def registration_refusal(self) -> CodedText | None:
        """Why entries are no longer possible, or None."""
        try:
            require_registration_open(self.tournament)
        except Illegal as refusal:
            return coded_text(refusal)
        return None

    @property
    def adds_points(self) -> bool:
        """Whether the director may add points to a pair now."""
        return self._allows(require_points_allowed) and not self.helper

    def _allows(self, require: Callable[[Tournament], None]) -> bool:
        """Whether a check of the tournament raises no `Illegal`."""
        try:
            require(self.tournament)
        except Illegal:
            return False
        return True

    @property
    def signup_refusal(self) -> CodedText | None:
        """Why sign-up is closed, or None."""
        if self.over or self.held_back:
            text = gettext("The tournament is over: nobody signs up any more.")
            return CodedText(text, "tournament-over")
        return self.registration_refusal

    @property
    def playing_count(self) -> int:
        """Number of pairs in the finals, left in the knock-out, or active and not late."""
        newest = self.newest
        if newest is not None and newest.is_final:
            return len(newest.playing)
        if newest is not None and newest.stage == "knockout":
            holders = self.tournament.holders
            return len({holders[lot] for lot in self._lots_in})
        return len(self.tournament.active_entrants) - len(self.next_round.late_in_this_round)

    @property
    def lot_count(self) -> int:
        """Number of lots left in a knock-out; else 0."""
        return len(self._lots_in) if self.settings.format == "knockout" else 0

    @cached_property
    def _lots_in(self) -> set[int]:
        return {*remaining_lots(self.tournament), *open_lots(self.tournament)}

    @property
    def over(self) -> bool:
        """Whether all rounds are drawn and all results are valid."""
        has_rounds = bool(self.tournament.rounds)
        return has_rounds and not self.tournament.unfinished and self.next_round.stage is None

    @property
    def winners(self) -> list[str]:
        """Names of the pairs in first place; empty while only the lot or more games decide."""
        first = [line for line in self.standings.lines if line.rank == 1]
        return [
            self.name(line.pair)
            for line in first
            if line.tie != "lot" and line.pair not in self.standings.undecided
        ]

    def winners_text(self, names: Sequence[str]) -> str:
        """The winners in a sentence; a pair is several, a single player one."""
        listed = ", ".join(names)
        if self.partners and len(names) == 1:
            return gettext("Winner: %(name)s", name=listed)
        return gettext("Winners: %(names)s", names=listed)

    @property
    def possible_duplicate_names(self) -> list[tuple[str, str]]:
        """Names of pairs that play and may be the same or share a player."""
        entries = [(entrant.number, entrant.pair) for entrant in self.tournament.active_entrants]
        return [(self.name(one), self.name(other)) for one, other in possible_duplicates(entries)]

    @property
    def shows_prize_winners(self) -> bool:
        """Whether the list of prizes names pairs: after the first game, but not while finals are
        ahead, and to visitors not before the prize-giving."""
        is_visitor = self.role != DIRECTOR and not self.helper
        waits = self.finals_ahead or (is_visitor and self.settings.ceremony)
        return not waits and any(line.totals.played_games for line in self.standings.lines)

    def names(self, tie: UndecidedTie) -> str:
        """Names of level pairs, such as: Anna & Bert; Cilli & Dora."""
        return "; ".join(map(self.name, tie.pairs))

    def by_lot(self, tie: UndecidedTie) -> str:
        return gettext("Winners by lot: %(name)s", name=self.name(tie.pairs[0]))

    @property
    def finals_ahead(self) -> bool:
        """Whether finals that are set have not begun, or are not over."""
        return self.settings.finals is not None and self.next_round.stage is not None

    @property
    def standings_status(self) -> str:
        """A text on the standings: complete, or the tables and finals that are missing."""
        if self.awaits_prize_giving:
            return gettext("without the last round")
        if not self.tournament.unfinished:
            if self.next_round.stage is None:
                return gettext("complete")
            if not self.finals_ahead:
                return gettext("provisional, the next round follows")
            if self.tournament.finals_drawn:
                return gettext("provisional, the finals are being played")
            return gettext("provisional, finals follow")
        if self.finals_ahead and not self.tournament.finals_drawn:
            return gettext("%(missing)s; finals follow", missing=self._missing)
        return self._missing

    @property
    def _missing(self) -> str:
        if len(self.tournament.unfinished) > 3:
            return gettext(
                "provisional: %(n)s tables are missing", n=len(self.tournament.unfinished)
            )
        missing = [
            (name, matches)
            for round_ in self.tournament.rounds
            for name, is_third in ((self.round_name(round_), False), (gettext("third place"), True))
            if (
                matches := [
                    match for match in round_.unfinished if match.is_third_place == is_third
                ]
            )
        ]
        open_tables = [
            ngettext(
                "%(round)s table %(tables)s",
                "%(round)s tables %(tables)s",
                len(matches),
                round=name,
                tables=table_numbers(matches),
            )
            for name, matches in missing
        ]
        return gettext("provisional, still open: %(tables)s", tables="; ".join(open_tables))

    @cached_property
    def bracket(self) -> list[BracketColumn]:
        """The rounds of the knock-out or of the finals; empty before they are drawn."""
        return bracket(self.tournament)

    @cached_property
    def planned_bracket(self) -> list[BracketColumn]:
        """The bracket with all rounds to come. Finals that are not drawn show places."""
        knockout_rounds = [*self.bracket, *rounds_to_draw(self.tournament)]
        return knockout_rounds or planned_finals(self.tournament)

    @property
    def planned_bracket_note(self) -> str:
        """A note on the opponents in the planned finals if they depend on the groups; else ""."""
        planned = [] if self.bracket else self.planned_bracket
        feeder = planned[0].coming[0][0] if planned else None
        if not isinstance(feeder, Qualifier) or feeder.group or not feeder.in_group:
            return ""
        return gettext(
            "In the first of these rounds, pairs of one group meet only if there is no other way."
        )

    @property
    def bracket_parts(self) -> list[BracketPart]:
        """The bracket in parts that fit on a page; empty before it is drawn."""
        return bracket_parts(self.planned_bracket if self.bracket else [])

    @property
    def unpaid_count(self) -> int:
        """Number of pairs that have not paid; 0 if no payments are recorded."""
        active = self.tournament.active_entrants
        paid = sum(entrant.paid for entrant in active)
        return len(active) - paid if paid else 0

    @property
    def fees_collected(self) -> str:
        """The sum of the fees that are paid, as text; "" without an entry fee."""
        fee = self.settings.fee
        if not fee:
            return ""
        paid = [entrant for entrant in self.tournament.listed if entrant.paid]
        lots = sum(entrant.pair.entries for entrant in paid)
        lots_gone = sum(entrant.pair.entries for entrant in paid if entrant.withdrawn)
        amount = euros(fee * lots)
        if lots_gone:
            amount = gettext(
                "%(sum)s, of it %(part)s from those who have withdrawn",
                sum=amount,
                part=euros(fee * lots_gone),
            )
        return labelled(gettext("In the till"), amount)

    @property
    def absent_names(self) -> list[str]:
        """The pairs not marked as here while the director still marks who is."""
        active = self.tournament.active_entrants
        if self.tournament.attendance_recorded or not any(entrant.here for entrant in active):
            return []
        return [entrant.pair.name for entrant in active if not entrant.here]

    @property
    def clock_until(self) -> Markup:
        """When the clock ends; empty if none runs."""
        clock_end = self.tournament.running_clock
        return shown_time(datetime.fromtimestamp(clock_end).astimezone()) if clock_end else Markup()

    def swappable(self, round_: Round) -> list[tuple[int, str]]:
        """Lots that can be swapped, each with its pair and table."""
        lots_at_tables = [
            (lot, gettext("%(name)s, table %(n)s", name=name, n=match.drawn_table.table))
            for match in round_.matches.values()
            for lot, pair in zip(match.drawn_table.lots, match.drawn_table.pairs, strict=True)
            for name in [self.texts.name_with_lot(pair, lot)]
        ]
        byes = zip(round_.byes, self.byes(round_), strict=True)
        return sorted(
            [*lots_at_tables, *((lot, f"{name}, {gettext('bye')}") for lot, name in byes)]
        )

    def byes(self, round_: Round) -> list[str]:
        pairs = zip(self.tournament.bye_pairs(round_), round_.byes, strict=True)
        return [self.texts.name_with_lot(pair, lot) for pair, lot in pairs]

    def bye_word(self, round_: Round) -> str:
        """The word for a pair without an opponent: a bye, unless all sit out in turn."""
        return gettext("free this round") if self._all_sit_out(round_) else gettext("bye")

    def _all_sit_out(self, round_: Round) -> bool:
        return self.settings.format in CIRCLES and not round_.is_knockout

    def byes_text(self, round_: Round) -> str:
        """The pairs without an opponent, in a sentence."""
        names = ", ".join(self.byes(round_))
        if self._all_sit_out(round_):
            return gettext("Free this round: %(names)s", names=names)
        return gettext("Bye: %(names)s", names=names)

    @property
    def groups_to_draw(self) -> list[tuple[str, GroupPlan]]:
        """The groups that the first draw can make, each with a label that says who is drawn; empty
        for other formats and after the first draw."""
        if self.settings.format != "groups" or self.tournament.rounds or self.helper:
            return []
        everyone = coming_groups(self.tournament)
        here = len(self.tournament.active_entrants) - len(self.absent_names)
        if not self.absent_names or here < 2:
            return [("", everyone)]
        only_here = coming_groups(self.tournament, here)
        return [(gettext("Only those here"), only_here), (gettext("Everyone"), everyone)]

    @property
    def is_bye_in_first_round(self) -> bool:
        """Whether the first round, which is not drawn yet, has byes."""
        if self.tournament.rounds:
            return False
        sizes = [size for _, plan in self.groups_to_draw for size in plan.sizes]
        seats = 4 if self.partners else 2
        return any(size % seats for size in sizes or [self.playing_count])

    @property
    def group_plan(self) -> GroupPlan | None:
        return planned_groups(self.tournament)

    def round_notes(self, round_: Round) -> list[str]:
        return [gettext(NOTES[note]) for note in round_.notes if note in NOTES]

    def shared_notes(self, round_: Round) -> dict[str, str]:
        """A sentence with the table numbers for each note that several matches have."""
        matches_by_note: dict[str, list[Match]] = {}
        for match in self.matches(round_):
            for note in self.texts.notes(match):
                matches_by_note.setdefault(note, []).append(match)
        return {
            note: gettext(
                "Table %(tables)s: %(note)s",
                tables=table_numbers(matches),
                note=gettext(NOTES[note]),
            )
            for note, matches in matches_by_note.items()
            if len(matches) > 1
        }

    @property
    def unfinished_note(self) -> str:
        """A sentence on the value of games that the clock ended; "" if there can be none."""
        mode = self.settings.scoring.unfinished
        return gettext(UNFINISHED_NAMES[mode]) if mode else ""

    def all_names(self, pair: int) -> str:
        """The name of a pair and those of its players, to search in."""
        entry = self.tournament.entrants[pair].pair
        return " ".join((entry.name, *entry.players))

    def matches(self, round_: Round) -> list[Match]:
        """The matches of a round in the order of their tables; for a helper those at the helper's
        tables."""
        helper, by_table = self.helper, sorted(round_.matches.items())
        return [match for table, match in by_table if helper is None or helper.may_enter(table)]

    def may_annul(self, entrant: Entrant) -> bool:
        """Whether the games of a pair that has left can be left out, or counted again."""
        allows = self._allows(require_annulment_allowed)
        return allows and entrant.withdrawn and self._rounds_played(entrant) > 0

    def rounds_played_text(self, entrant: Entrant) -> str:
        """A sentence that says how many rounds a pair has played that has left its circle."""
        rounds = self.tournament.rounds
        return gettext(
            "It has played %(n)s of %(rounds)s rounds, and these games count.",
            n=self._rounds_played(entrant),
            rounds=self._planned_rounds(rounds[0]),
        )

    def _rounds_played(self, entrant: Entrant) -> int:
        """The rounds in which a pair has games with a result."""
        return sum(
            match.result is not None and not match.result.walkover
            for round_ in self.tournament.rounds
            for match in round_.matches.values()
            if any(entrant.number in side for side in match.sides)
        )

    def open_matches_of(self, pair: int) -> list[tuple[Round, Match]]:
        """A pair's matches without a result, each with its round."""
        return [
            (round_, match)
            for round_, match in self.tournament.unfinished
            if any(pair in side for side in match.sides)
        ]

    @property
    def may_change_draw(self) -> bool:
        """Whether no table of the newest round has a result, so that its draw can be changed."""
        newest = self.newest
        return newest is not None and self.counts(newest)["open"] == len(newest.matches)

    def counts(self, round_: Round) -> dict[str, int]:
        counts = dict.fromkeys(STATUS_NAMES, 0)
        for match in self.matches(round_):
            counts[match.status] += 1
        return counts


def _hidden_tables(tournament: Tournament) -> set[int]:
    """The tables of the last round with a result, while others have none."""
    last = tournament.without_draft.rounds[-1]
    return {table for table, match in last.matches.items() if match.result and last.unfinished}


def view_of(holder: KeyHolder) -> TournamentView:
    return TournamentView(tournaments().current(holder.stream), holder.key, holder.role)
