"""Statistics of players and pairs over several evenings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from math import sqrt
from typing import Final

from scorer.engine.equity.model import DEFAULT_CHANCE, live
from scorer.engine.equity.raise_values import open_raise_values
from scorer.engine.input.lookalikes import normalized
from scorer.engine.scoring.evening import Evening, Step
from scorer.engine.scoring.event_types.bids import Gehen
from scorer.engine.scoring.state import Game, Side
from scorer.engine.telling.rounds import Answer, PlayedRound, rounds

_QUANTILE_OF_95_PERCENT: Final = 1.96
"""The normal quantile for 95 percent."""
_MONTH: Final = re.compile("20[0-9]{2}-(0[1-9]|1[0-2])")
"""Plausible months only, because pages list every month between the first and the last."""


@dataclass(slots=True)
class PlayerStatistics:
    """The counts of one player or pair."""

    games: int = 0
    won: int = 0
    given: int = 0
    """Bummerl the opponents got."""
    taken: int = 0
    schneider_given: int = 0
    schneider_taken: int = 0
    """Lost games with more than a plain Bummerl: Schneider and Retourschneider."""
    rounds: int = 0
    raised: int = 0
    """Raises of its side; records name sides only, so partners share counts."""
    stayed: int = 0
    """Answers to raises but folds; a raise in answer accepts the one before it."""
    went: int = 0
    """Rounds that its side folded or gave away."""
    raise_folded: int = 0
    """Raises to which the others folded."""
    raise_won: int = 0
    """Raises that were played and won."""
    raise_lost: int = 0
    rounds_won: int = 0
    stay_won: int = 0
    """Rounds won after staying on the last raise."""
    stay_lost: int = 0
    stay_needed: float = 0.0
    """The sum of the take points of these rounds: the wins that staying needs on average."""
    went_points: int = 0
    """Points lost by folding or giving away."""
    folded_points: int = 0
    """Points won when the others folded or gave away."""
    went_needed: float = 0.0
    """The sum of the take points of the raises it folded to, if computable."""
    went_priced: int = 0
    """The number of raises in that sum."""

    def add(self, other: PlayerStatistics) -> None:
        for name in _COUNTS:
            setattr(self, name, getattr(self, name) + getattr(other, name))

    @property
    def stays(self) -> int:
        """Rounds played out after it stayed on the last raise."""
        return self.stay_won + self.stay_lost

    @property
    def share(self) -> float:
        return self.won / self.games if self.games else 0.0


_COUNTS: Final = tuple(field.name for field in fields(PlayerStatistics))


People = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Debt:
    debtors: People
    creditors: People
    bummerl: int


@dataclass(slots=True)
class LedgerStatistics:
    """The accounts over all evenings; sides without names are left out."""

    players: dict[str, PlayerStatistics] = field(default_factory=dict)
    pairs: dict[People, PlayerStatistics] = field(default_factory=dict)
    months: dict[str, dict[str, int]] = field(default_factory=dict)
    """By month, such as 2026-11: the Bummerl each player got."""
    bummerl_lost: dict[tuple[People, People], int] = field(default_factory=dict)
    """Bummerl by (losing players, winning players)."""
    spellings: dict[str, str] = field(default_factory=dict)
    """The first spelling of each name, by its normalized form."""
    nobody: frozenset[str] = frozenset()
    """Normalized names of sides that name no person, such as "we"."""

    def name(self, name: str) -> str:
        """The first spelling of a name."""
        return self.spellings.setdefault(normalized(name), name)

    def people(self, side: Side) -> list[str]:
        """The players of a side in their first spelling."""
        return [self.name(name) for name in people(side, self.nobody)]

    def sides_as_named_later(self, sides: Sequence[Side], evening: Evening) -> list[Side]:
        """The sides; one without names gets those it has at the end of the evening."""
        pairs = zip(sides, evening.state.sides, strict=True)
        return [side if people(side, self.nobody) else later_side for side, later_side in pairs]

    def accounts_of(self, side: Side) -> list[PlayerStatistics]:
        """The accounts of a side's players and, for two, of the pair; created if missing."""
        names = self.people(side)
        accounts = [self.players.setdefault(name, PlayerStatistics()) for name in names]
        if len(names) > 1:
            accounts.append(self.pairs.setdefault(tuple(sorted(names)), PlayerStatistics()))
        return accounts

    def account_of(self, side: Side) -> PlayerStatistics | None:
        """The account of a pair or of a single player, or None."""
        players = people(side, self.nobody)
        names = sorted(self.spellings.get(normalized(name), name) for name in players)
        return self.pairs.get(tuple(names)) if len(names) > 1 else self.players.get("".join(names))

    def add(self, other: LedgerStatistics) -> None:
        for name, account in other.players.items():
            self.players.setdefault(self.name(name), PlayerStatistics()).add(account)
        for pair, account in other.pairs.items():
            self.pairs.setdefault(self._pair(pair), PlayerStatistics()).add(account)
        for month, taken in other.months.items():
            tally = self.months.setdefault(month, {})
            for name, bummerl in taken.items():
                tally[self.name(name)] = tally.get(self.name(name), 0) + bummerl
        for (losers, winners), bummerl in other.bummerl_lost.items():
            self.lose(losers, winners, bummerl)

    def lose(self, losers: People, winners: People, bummerl: int) -> None:
        """Add Bummerl of `losers` against `winners`; ignored if either has no names."""
        if bummerl and losers and winners:
            sides = self._pair(losers), self._pair(winners)
            self.bummerl_lost[sides] = self.bummerl_lost.get(sides, 0) + bummerl

    def _pair(self, names: People) -> People:
        """The names in their first spelling, sorted."""
        return tuple(sorted(map(self.name, names)))

    def debts(self) -> list[Debt]:
        """Net Bummerl debts between sides with the same players, largest first."""
        debts = []
        for (debtors, creditors), bummerl in self.bummerl_lost.items():
            difference = bummerl - self.bummerl_lost.get((creditors, debtors), 0)
            if difference > 0:
                debts.append(Debt(debtors, creditors, difference))
        return sorted(debts, key=lambda debt: (-debt.bummerl, debt.debtors, debt.creditors))


def people(side: Side, nobody: frozenset[str] = frozenset()) -> People:
    """The players of a side; without players its name, if any.

    :param nobody: normalized names of sides that name no person

    >>> people(Side("Wir", ("Anna", "Bert"))), people(Side("Anna")), people(Side())
    (('Anna', 'Bert'), ('Anna',), ())
    >>> people(Side("Wir"), frozenset({"wir"}))
    ()
    """
    has_name = side.name and normalized(side.name) not in nobody
    return side.players or ((side.name,) if has_name else ())


def accounts(evenings: Iterable[Evening]) -> LedgerStatistics:
    """The accounts of the finished games of these evenings.

    >>> from scorer.engine.scoring.record import read_head
    >>> evening = Evening(read_head({"watten": 1, "rules": "oberoesterreich", "sides": [
    ...     {"players": ["Anna", "Bert"]}, {"players": ["Cilli", "Dora"]}]}))
    >>> for event in ({"do": "bieten", "side": 0}, {"do": "gehen", "side": 1},
    ...               {"do": "gewinnt", "side": 0, "stake": 7}):
    ...     _ = evening.push(event)
    >>> made = accounts([evening])
    >>> anna = made.players["Anna"]
    >>> anna.won, anna.given, anna.schneider_given, anna.raised, anna.raise_folded
    (1, 2, 1, 1, 1)
    >>> made.pairs["Cilli", "Dora"].taken, made.pairs["Cilli", "Dora"].went
    (2, 1)
    >>> made.debts()
    [Debt(debtors=('Cilli', 'Dora'), creditors=('Anna', 'Bert'), bummerl=2)]
    """
    total = LedgerStatistics()
    for evening in evenings:
        total.add(evening_accounts(evening))
    return total


def evening_accounts(evening: Evening, nobody: frozenset[str] = frozenset()) -> LedgerStatistics:
    """The accounts of the finished games of one evening.

    :param nobody: normalized names of sides that name no person
    """
    accounts = LedgerStatistics(nobody=nobody)
    for step in evening.steps:
        for game in step.after.games[len(step.before.games) :]:
            sides = accounts.sides_as_named_later(step.after.sides, evening)
            _count_game(accounts, game, sides, _month(evening, step))
    state = evening.state
    running = state.game if state.winner is None else None
    for played_round in rounds(evening):
        # The running game is not counted yet.
        if played_round.game != running:
            sides = accounts.sides_as_named_later(played_round.play[-1].after.sides, evening)
            _count_round(accounts, played_round, sides, evening.head.look_back != "never")
    return accounts


def _month(evening: Evening, step: Step) -> str:
    """The month of a step, such as 2026-01; empty if missing or implausible."""
    month = str(evening.recorded[step.recorded_index].get("at", ""))[:7]
    return month if _MONTH.fullmatch(month) else ""


def _count_game(
    statistics: LedgerStatistics, game: Game, sides: Sequence[Side], month: str
) -> None:
    schneider = game.kind in ("schneider", "retourschneider")
    for index, side in enumerate(sides):
        bummerl = game.bummerl[index]
        bummerl_given = sum(game.bummerl) - bummerl
        for account in statistics.accounts_of(side):
            account.games += 1
            account.taken += bummerl
            if index == game.winner:
                account.won += 1
                account.given += bummerl_given
                account.schneider_given += schneider
            elif bummerl:
                account.schneider_taken += schneider
        if index != game.winner:
            losers, winners = (
                people(named_side, statistics.nobody) for named_side in (side, sides[game.winner])
            )
            statistics.lose(losers, winners, bummerl)
        if month:
            month_bummerl = statistics.months.setdefault(month, {})
            for name in statistics.people(side):
                month_bummerl[name] = month_bummerl.get(name, 0) + bummerl


def _count_round(
    statistics: LedgerStatistics,
    played_round: PlayedRound,
    sides: Sequence[Side],
    count_prices: bool,
) -> None:
    winner = played_round.winner
    if winner is None:
        return
    for side in played_round.opening_state.playing_sides:
        for account in statistics.accounts_of(sides[side]):
            account.rounds += 1
            account.rounds_won += side == winner
    raises, last = list(played_round.answered_raises), played_round.play[-1]
    if isinstance(last.event, Gehen):
        gain = last.after.points[winner] - last.before.points[winner]
        for account in statistics.accounts_of(sides[winner]):
            account.folded_points += gain
        for account in statistics.accounts_of(sides[last.event.side]):
            account.went += 1
            account.went_points += gain
    if raises and count_prices:
        _count_price(statistics, played_round, winner, sides, *raises[-1])
    for step, answer in raises:
        raiser = getattr(step.event, "side", 0)
        for account in statistics.accounts_of(sides[raiser]):
            account.raised += 1
            if isinstance(answer, Gehen):
                account.raise_folded += 1
            elif winner == raiser:
                account.raise_won += 1
            else:
                account.raise_lost += 1
        # A further raise accepts the one before it.
        for account in statistics.accounts_of(sides[answer.side]):
            account.stayed += not isinstance(answer, Gehen)


def _count_price(
    statistics: LedgerStatistics,
    played_round: PlayedRound,
    winner: int,
    sides: Sequence[Side],
    step: Step,
    answer: Answer,
) -> None:
    """Count the answer to the last raise of a round against its take point."""
    values = open_raise_values(step.after, live(DEFAULT_CHANCE))
    take_point = (
        values.stay_from.live if values is not None and values.stay_from is not None else None
    )
    for account in statistics.accounts_of(sides[answer.side]):
        if isinstance(answer, Gehen):
            account.went_needed += take_point or 0.0
            account.went_priced += take_point is not None
        elif take_point is not None:
            account.stay_won += answer.side == winner
            account.stay_lost += answer.side != winner
            account.stay_needed += take_point


def interval(won: int, count: int) -> tuple[float, float]:
    """The 95 percent confidence interval of a share (Wilson).

    >>> [round(bound, 2) for bound in interval(3, 4)], interval(0, 0)
    ([0.3, 0.95], (0.0, 1.0))
    """
    if not count:
        return 0.0, 1.0
    z, share = _QUANTILE_OF_95_PERCENT, won / count
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z / (1 + z * z / count) * sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    return max(middle - half, 0.0), min(middle + half, 1.0)
