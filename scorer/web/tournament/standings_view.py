"""The standings as text: places, reasons, ranks still open, and prizes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from flask_babel import format_decimal

from scorer.tournament import Round, Tournament, standings
from scorer.tournament.bracket import KnockoutProgress, knockout_progress
from scorer.tournament.deciders import (
    UndecidedTie,
    coming_finalists,
    level_pairs,
    pairs_of_deciding_games,
    ties_to_decide,
    without_decider,
)
from scorer.tournament.entrants import Entrant
from scorer.tournament.finals import drawn_group_sizes, places_in_groups, ties_at_qualifying_line
from scorer.tournament.pair_totals import PairTotals, pair_totals
from scorer.tournament.prize_winners import (
    CategoryLine,
    category_winners,
    consolation_winner,
    prize_winners,
)
from scorer.tournament.rank_bounds import RankBounds, bounds_in_knockout, rank_bounds
from scorer.tournament.ranking_metrics import metric_value
from scorer.tournament.round_robin import group_of, group_sizes, round_count
from scorer.tournament.settings import CIRCLES
from scorer.tournament.shared_ranks import may_part_level_pairs, ranked
from scorer.tournament.standings import Standing, competing_groups, uses_group_places
from scorer.web.frame.errors import CodedText
from scorer.web.frame.language import labelled, score_text, with_sign
from scorer.web.frame.translation import gettext, ngettext
from scorer.web.tournament.group_plan import GroupPlan
from scorer.web.tournament.labels import (
    CONSOLED_NAMES,
    HEADINGS,
    METRIC_NAMES,
    NO_BYES,
    PROGRESS_NAMES,
    REASONS,
)


class StandingsBlock(NamedTuple):
    """A table of the standings: all pairs, or a group."""

    title: str
    """Empty for the table of all pairs."""
    rows: list[tuple[int, Standing]]
    """Ranks and lines."""


class StandingsView:
    """The standings for templates; its notes say what byes, walkovers and ties count."""

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament

    @property
    def ranking_order(self) -> str:
        """Names of the metrics, most important first."""
        names = [gettext(METRIC_NAMES[name]) for name in self.tournament.settings.ranking]
        if any(round_.is_knockout for round_ in self.tournament.rounds):
            names = [gettext("how far in the knock-out"), *names]
        if uses_group_places(self.tournament):
            names.append(gettext("place in the group"))
        return ", ".join(names)

    @property
    def no_third_place_note(self) -> str:
        """A note on places 3 and 4 if no game decides them, else ""."""
        settings = self.tournament.settings
        if settings.format != "knockout" and settings.plays_for_third:
            return ""
        return gettext("There is no game for third place: places 3 and 4 follow this order.")

    @property
    def metrics(self) -> list[tuple[str, str]]:
        """Names and headings of the columns: the ranking's metrics and the usual ones."""
        names = [*self.tournament.settings.ranking, "won", "difference", "points"]
        return [(name, gettext(HEADINGS[name])) for name in dict.fromkeys(names)]

    @cached_property
    def lines(self) -> list[Standing]:
        return standings(self.tournament)

    @cached_property
    def undecided_ties(self) -> list[UndecidedTie]:
        return ties_to_decide(self.tournament, self.lines)

    def tie_reason(self, line: Standing) -> str:
        """The cause that decided a tie for the place, as text, or ""."""
        code = self._tie_code(line)
        return gettext(REASONS[code]) if code else ""

    def _tie_code(self, line: Standing) -> str:
        if line.tie != "decider" and (not self.tournament.rounds or self.may_part_level_pairs):
            return ""
        # A tie for the finals is one between groups, so it has no reason within the group.
        is_by_lot = line.tie == "lot" or bool(competing_groups(self.tournament))
        is_open = is_by_lot and line.pair in self.undecided
        if is_open or line.pair in self._without_decider:
            return "level"
        if line.tie == "decider" and line.pair in self.undecided:
            return "decider-so-far"
        return "decider" if line.pair in self._decided_across_groups else line.tie

    @cached_property
    def undecided(self) -> set[int]:
        """The pairs of ties that a deciding game should settle."""
        return {pair for tie in self.undecided_ties for pair in tie.pairs}

    @cached_property
    def _without_decider(self) -> set[int]:
        """Level pairs that have not played a deciding game yet, while others have."""
        return {
            pair
            for level in level_pairs(self.tournament, self.lines).values()
            for pair in without_decider(self.tournament, level)
        }

    @cached_property
    def _decided_across_groups(self) -> set[int]:
        """Pairs that have played pairs of other groups for the last places in the finals."""
        return {
            pair
            for place, pairs in level_pairs(self.tournament, self.lines).items()
            for two in pairs_of_deciding_games(self.tournament)
            if place.is_across_groups and two <= {*pairs}
            for pair in two
        }

    @cached_property
    def may_part_level_pairs(self) -> bool:
        return may_part_level_pairs(self.tournament)

    def tie_reasons(self, line: Standing) -> list[str]:
        """The causes that decided ties for the place and the finals, as texts; may be empty."""
        tie, lot = self._tie_code(line), self._lot_for_finals.get(line.pair, "")
        # If the lot decides both, that is said only once.
        codes = ("" if lot and tie in ("lot", "level") else tie, lot)
        return [gettext(REASONS[code]) for code in codes if code]

    def extra_points_text(self, line: Standing) -> str:
        """The director's points for a pair with their reason, or ""."""
        entrant = self.tournament.entrants[line.pair]
        return extra_points(entrant) if entrant.extra else ""

    def bye_remark(self, line: Standing) -> str:
        """A remark if pairs differ in byes and games played, else "".

        It is "with a bye" for a pair that had one, with what that counted if it is an average; or
        the number of games of each pair where a bye counts nothing.
        """
        if not self._byes_differ or self.tournament.entrants[line.pair].annulled:
            return ""
        if self.bye_worth.code in ("nothing", "uneven"):
            return ngettext("%(num)s game", "%(num)s games", line.totals.played_games)
        if not line.totals.byes:
            return ""
        if self.bye_worth.code != "average":
            return gettext("with a bye")
        without = self._totals_without_averages[line.pair]
        if not without.played_games:
            return gettext("with a bye, which counts from the first game on")
        won = line.totals.won - without.won
        points = line.totals.points - without.points
        conceded = line.totals.conceded - without.conceded
        games = ngettext("%(num)s game won", "%(num)s games won", won)
        return labelled(gettext("with a bye"), f"{games}, {score_text((points, conceded))}")

    @cached_property
    def _totals_without_averages(self) -> Mapping[int, PairTotals]:
        return pair_totals(self.tournament, averages=False)

    def _late_remark(self, line: Standing) -> str:
        """The pair's first round if that is not the first of all, such as: from round 2."""
        number = self._first_rounds.get(line.pair, 1)
        return gettext("from round %(n)s", n=number) if number > 1 else ""

    @cached_property
    def _first_rounds(self) -> dict[int, int]:
        """The number of the round in which each pair was first drawn."""
        return {
            pair: round_.number
            for round_ in reversed(self.tournament.rounds)
            for pair in (*round_.playing, *self.tournament.bye_pairs(round_))
        }

    @cached_property
    def _byes_differ(self) -> bool:
        """Whether some pairs with a place have had more byes, and so have played less."""
        placed = [line.totals for line in self.lines if line.rank]
        return all(
            len({getattr(one, name) for one in placed}) > 1 for name in ("byes", "played_games")
        )

    @property
    def bye_worth(self) -> CodedText:
        """The value of a bye, or of each of its games if the rounds differ in games."""
        rounds_with_byes = [round_ for round_ in self.tournament.rounds if round_.byes]
        games = {round_.games for round_ in rounds_with_byes if not round_.is_knockout}
        return self._bye_worth(games.pop() if len(games) == 1 else 0)

    def bye_worth_in(self, number: int) -> CodedText:
        return self._bye_worth(self.tournament.settings.games_in(number))

    def _bye_worth(self, games: int) -> CodedText:
        """The value of a bye of this many games; 0 for the value per game.

        The text is empty in a knock-out, because byes do not affect its ranking.
        """
        settings, scoring = self.tournament.settings, self.tournament.settings.scoring
        if settings.format == "knockout":
            return CodedText("", "none")
        if scoring.bye_average:
            text = gettext(
                "A bye counts as the average of the rounds played: games, points and points "
                "against are each rounded, a half up."
            )
            return CodedText(text, "average")
        worth = self._worth_unplayed(games or 1, scoring.bye_wins)
        if worth and not games:
            text = gettext("A bye counts as this in each game of its round: %(worth)s", worth=worth)
            return CodedText(text, "game")
        if not worth and settings.format in CIRCLES:
            if self._has_too_few_rounds:
                text = gettext(
                    "Sitting out counts nothing. There are too few rounds for all to meet."
                )
                return CodedText(text, "uneven")
            if any(one.withdrawn and not one.annulled for one in self.tournament.listed):
                text = gettext(
                    "Sitting out counts nothing. A pair has left, so some pairs play fewer games."
                )
                return CodedText(text, "uneven")
            return CodedText(gettext(NO_BYES[settings.format]), "nothing")
        worth = worth or gettext("no game won")
        return CodedText(gettext("A bye counts: %(worth)s", worth=worth), "round")

    @property
    def annulled_note(self) -> str:
        """A sentence that names the pairs whose games do not count; "" if there is none."""
        names = [entrant.pair.name for entrant in self.tournament.listed if entrant.annulled]
        if not names:
            return ""
        return gettext("Not counted: the games of %(names)s.", names=", ".join(names))

    @property
    def walkover_worth(self) -> str:
        """A sentence that says what a walkover counts; "" if there was none."""
        games = {
            round_.games
            for round_ in self.tournament.rounds
            if not round_.is_final
            for match in self.tournament.counted_matches(round_)
            if match.result is not None and match.result.walkover
        }
        return self._walkover_worth(games.pop()) if len(games) == 1 else ""

    def walkover_worth_in(self, round_: Round) -> str:
        """A sentence that says what a walkover would count; "" in a knock-out."""
        return "" if round_.is_final else self._walkover_worth(round_.games)

    def _walkover_worth(self, games: int) -> str:
        if self.tournament.settings.format == "knockout":
            return ""
        return gettext("A walkover counts: %(worth)s", worth=self._worth_unplayed(games, True))

    def _worth_unplayed(self, games: int, wins: bool) -> str:
        scoring = self.tournament.settings.scoring
        parts = [
            ngettext("%(num)s game won", "%(num)s games won", games) if wins else "",
            gettext("score %(n)s", n=games * scoring.bye_score) if scoring.bye_score else "",
            gettext("points %(n)s", n=games * scoring.bye_points) if scoring.bye_points else "",
        ]
        return ", ".join(filter(None, parts))

    @property
    def _has_too_few_rounds(self) -> bool:
        """Whether a circle ends before all its pairs have met."""
        settings, pairs = self.tournament.settings, len(self.tournament.active_entrants)
        sizes = [pairs] if settings.format != "groups" else group_sizes(settings, pairs)
        return settings.rounds < round_count([range(size + size % 2) for size in sizes])

    @property
    def blocks(self) -> list[StandingsBlock]:
        """The current blocks, and below them the groups if the finals are drawn.

        Pairs that left before their first game are not in them.
        """
        blocks = self.current_blocks
        if self.groups and self.tournament.finals_drawn:
            lines_before = standings(self.tournament.before_finals())
            blocks = [*blocks, *self._group_blocks(lines_before)]
        return [
            StandingsBlock(title, [row for row in rows if self._has_taken_part(row[1])])
            for title, rows in blocks
        ]

    def _has_taken_part(self, line: Standing) -> bool:
        entrant = self.tournament.entrants[line.pair]
        return entrant.plays or entrant.annulled or line.totals != PairTotals()

    @cached_property
    def current_blocks(self) -> list[StandingsBlock]:
        """Titles and ranked lines: one table, or one per group until the finals are drawn."""
        if self.groups and not self.tournament.finals_drawn:
            return self._group_blocks(self.lines)
        return [StandingsBlock("", self.ranked)]

    @property
    def ranked(self) -> list[tuple[int, Standing]]:
        """Ranks and lines of all pairs in one table, as in `current_blocks`."""
        return ranked(self.tournament, self.lines, self.may_part_level_pairs)

    def place(self, pair: int) -> str:
        """A pair's place in its table of the standings, such as: Group 2: Place 1; "" without."""
        places = (
            (title, rank)
            for title, rows in self.current_blocks
            for rank, line in rows
            if line.pair == pair
        )
        title, rank = next(places, ("", 0))
        if not rank:
            return ""
        place = gettext("Place %(n)s", n=self.rank_text(rank, pair))
        return labelled(title, place) if title else place

    def rank_text(self, rank: int, pair: int) -> str:
        """A rank; such as "3–4" while the knock-out decides between these; "–" without a rank.

        :param rank: as in `current_blocks`
        """
        if not rank:
            return "–"
        bounds = self._bounds_in_knockout.get(pair)
        if bounds is None or bounds.best == bounds.worst:
            return str(rank)
        return f"{bounds.best}–{bounds.worst}"

    @cached_property
    def _bounds_in_knockout(self) -> Mapping[int, RankBounds]:
        return bounds_in_knockout(self.tournament)

    def _group_blocks(self, lines: Sequence[Standing]) -> list[StandingsBlock]:
        groups = self.groups
        return [
            StandingsBlock(
                gettext("Group %(n)s", n=number),
                ranked(
                    self.tournament,
                    [line for line in lines if groups.get(line.pair) == number],
                    self.may_part_level_pairs,
                ),
            )
            for number in sorted(set(groups.values()))
        ]

    @cached_property
    def _group_plan(self) -> GroupPlan:
        return GroupPlan(self.tournament.settings, drawn_group_sizes(self.tournament))

    def last_to_qualify(self, title: str, rows: Sequence[tuple[int, Standing]]) -> int:
        """The number of the last pair of a group that qualifies for the finals, or 0.

        :param title: the block's, "" for the table of all pairs
        """
        qualify = [line.pair for rank, line in rows if 0 < rank <= self._group_plan.places]
        return qualify[-1] if title and qualify else 0

    @property
    def advancing(self) -> str:
        """The places of each group that qualify for the finals, as a sentence, or ""."""
        return self._group_plan.advancing

    @property
    def extrapolation_note(self) -> str:
        """A note on extrapolated points conceded, or ""."""
        extrapolated = any(
            line.totals.conceded_extrapolated != line.totals.conceded for line in self.lines
        )
        if "conceded" not in self.tournament.settings.ranking or not extrapolated:
            return ""
        return gettext(
            "Points conceded: an unplayed game counts as the average of the pair's other games."
        )

    def value(self, line: Standing, metric: str) -> str:
        number = metric_value(line.totals, metric)
        return with_sign(int(number)) if metric == "difference" else unsigned(number, metric)

    @cached_property
    def groups(self) -> Mapping[int, int]:
        return group_of(self.tournament)

    @cached_property
    def _rank_bounds(self) -> Mapping[int, RankBounds]:
        """Ranks still reachable in the format `redraw`, from the last round but one before the
        finals; else empty."""
        rounds, planned_rounds = self.tournament.rounds, self.tournament.settings.rounds
        is_near = (
            self.tournament.settings.format == "redraw"
            and planned_rounds - 1 <= len(rounds) <= planned_rounds
        )
        is_done = len(rounds) == planned_rounds and not self.tournament.unfinished
        return rank_bounds(self.tournament) if rounds and is_near and not is_done else {}

    def shown_rank_bounds(self, pair: int) -> RankBounds | None:
        """Best and worst rank of a pair; None if unknown or too far apart to be shown."""
        bounds = self._rank_bounds.get(pair)
        if bounds is None or 2 * (bounds.worst - bounds.best) >= len(self._rank_bounds):
            return None
        return bounds

    def rank_bounds_text(self, pair: int) -> str:
        """The ranks a pair can still reach, as text, or ""."""
        bounds = self.shown_rank_bounds(pair)
        if bounds is None:
            return ""
        if bounds.best == bounds.worst:
            return gettext("place %(n)s for sure", n=bounds.best)
        return gettext("can still be %(best)s to %(worst)s", best=bounds.best, worst=bounds.worst)

    @cached_property
    def _knockout_progress(self) -> Mapping[int, KnockoutProgress]:
        return knockout_progress(self.tournament)

    @property
    def before_finals_caption(self) -> str:
        """The caption "before the finals" of the totals, once the finals are drawn; else ""."""
        return gettext("before the finals") if self.tournament.finals_drawn else ""

    @cached_property
    def _lot_for_finals(self) -> Mapping[int, str]:
        """`in` or `out` for each pair that entered or missed the finals by lot."""
        ties = ties_at_qualifying_line(self.tournament) if self.tournament.finals_drawn else []
        return {
            pair: code
            for tie in ties
            for code, pairs in (("in", tie.qualified), ("out", tie.eliminated))
            for pair in pairs
        }

    @cached_property
    def _qualifies_beyond_places(self) -> set[int]:
        """The pairs that now qualify as the best of the place after those of every group."""
        is_begun = self.tournament.begun and competing_groups(self.tournament)
        if not (is_begun and self._group_plan.extra_pairs):
            return set()
        places = places_in_groups(self.lines, self.groups)
        qualifying = coming_finalists(self.tournament)
        return {pair for pair in qualifying if places[pair] > self._group_plan.places}

    @property
    def _best_of_next_place(self) -> str:
        place = self._group_plan.places + 1
        if self.may_part_level_pairs:
            return gettext("so far among the best in place %(place)s", place=place)
        return gettext("in the finals as one of the best in place %(place)s", place=place)

    @cached_property
    def _open_pairs(self) -> set[int]:
        """The pairs without a result; empty if they are more than half: the head counts them."""
        pairs = {n for _, match in self.tournament.unfinished for side in match.sides for n in side}
        return pairs if 2 * len(pairs) <= len(self.tournament.listed) else set()

    def reasons(self, line: Standing, paper: bool = False) -> list[str]:
        """The reasons for a pair's place; on paper they include a missing result."""
        entrant = self.tournament.entrants[line.pair]
        if absence := absence_text(entrant):
            return [absence]
        progress = self._knockout_progress.get(line.pair)
        name = PROGRESS_NAMES.get(progress) if progress else None
        texts = [gettext(name)] if name else []
        texts += self.tie_reasons(line)
        texts += [self._best_of_next_place] if line.pair in self._qualifies_beyond_places else []
        texts += [gettext(REASONS["open"])] if paper and line.pair in self._open_pairs else []
        return texts

    def small_print(self, line: Standing, paper: bool = False, is_repeated: bool = False) -> str:
        """Small print below a name: club, reasons, byes, and ranks still open.

        :param is_repeated: another table says why the pair has its rank
        """
        parts = [
            self.tournament.entrants[line.pair].pair.club,
            self.tournament.entrants[line.pair].pair.category,
            *([] if is_repeated else self.reasons(line, paper)),
            self.extra_points_text(line),
            self.bye_remark(line),
            self._late_remark(line),
        ]
        parts += [] if paper or is_repeated else [self.rank_bounds_text(line.pair)]
        return " · ".join(part for part in parts if part)

    @cached_property
    def prizes(self) -> list[tuple[Standing, str]]:
        """Lines and their prizes, the consolation prize named as such."""
        awards = prize_winners(self.tournament, self.lines)
        if consoled := consolation_winner(self.tournament, self.lines):
            prizes = self.tournament.prizes
            whom = gettext(CONSOLED_NAMES[prizes.consolation_for])
            kind = gettext("Consolation prize for %(whom)s", whom=whom)
            awards.append((consoled, labelled(kind, prizes.consolation)))
        return awards

    @cached_property
    def categories(self) -> dict[str, list[CategoryLine]]:
        return category_winners(self.tournament, self.lines)


def absence_text(entrant: Entrant) -> str:
    """Whether a pair has withdrawn, or is not there; else ""."""
    codes = [code for code in ("annulled", "withdrawn", "absent") if getattr(entrant, code)]
    return gettext(REASONS[codes[0]]) if codes else ""


def extra_points(entrant: Entrant) -> str:
    """Points added or taken, such as: −10 points: late. Published pages have no reason."""
    points = ngettext("%(num)s point", "%(num)s points", abs(entrant.extra))
    sign = "+" if entrant.extra > 0 else "−"
    return sign + (labelled(points, entrant.extra_reason) if entrant.extra_reason else points)


def unsigned(value: int | Fraction, metric: str) -> str:
    """A number without sign in the reader's format."""
    return format_decimal(float(value), "0.000" if metric == "ratio" else "0.##")
