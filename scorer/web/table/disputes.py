"""Disputes of rounds, settled or not, and proposed corrections that await an answer.

Templates: `table/slate/_proposals.html` shows them on board and pad, `table/corrections/round.html`
has the buttons of a round. `statements.py` receives both.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from markupsafe import Markup

from scorer.engine import (
    Absage,
    Bestaetigt,
    Event,
    Gehen,
    Geklaert,
    Gewinnt,
    NeuesSpiel,
    Strittig,
    Zusage,
)
from scorer.engine.scoring.effective_events import EventPlace
from scorer.engine.scoring.proposals import Proposal
from scorer.engine.telling.rounds import PlayedRound, round_at
from scorer.engine.telling.slate import SlateLine
from scorer.web.frame.entry_times import time_of
from scorer.web.frame.language import unbroken_numbers
from scorer.web.frame.translation import gettext
from scorer.web.table.entry_authors import EntryAuthors
from scorer.web.table.event_json import event_json, events_json
from scorer.web.table.event_permissions import THEIRS

_ROUND_ENDS: Final = (Gewinnt.do, Gehen.do, NeuesSpiel.do)


@dataclass(frozen=True, slots=True)
class Dispute:
    of: int
    """The recorded index of the disputed event."""
    place: EventPlace | None
    """None if the round was struck out since."""
    round_name: str
    side: int
    """The side that disputed."""
    corrected: bool
    """Whether the round was changed after the dispute."""
    game: int | None = None
    """None if the round was struck out since."""

    def settlement(self, side: int) -> str:
        """JSON of the event by which `side` settles it."""
        return event_json(Geklaert(side, self.of))


@dataclass(frozen=True, slots=True)
class SettledDispute:
    of: int
    """The recorded index of the disputed event."""
    place: EventPlace | None
    """None if the round was struck out since."""
    round_name: str
    side: int
    """The side that disputed."""
    settled_by: int
    settled_at: Markup

    @property
    def reopening(self) -> str:
        """JSON of the event by which `side` disputes again."""
        return event_json(Strittig(self.side, self.of))


@dataclass(frozen=True, slots=True)
class OpenProposal:
    """A proposal that awaits an answer, and the round that it is about."""

    proposal: Proposal
    place: EventPlace
    round_name: str
    disputed: tuple[int, ...]
    """The indices of the disputed events of this round."""

    def acceptance(self, side: int) -> list[Event]:
        """The events by which `side` accepts it; none if its own party proposed it.

        Then both parties agree, so these events settle the disputes of the round too.
        """
        if self.proposal.is_from_party_of(side):
            return []
        settlements = [Geklaert(side, of) for of in self.disputed]
        return [Zusage(side, self.proposal.index), *settlements]

    def acceptance_json(self, side: int) -> str:
        """The events of `acceptance` as JSON, "" for none."""
        events = self.acceptance(side)
        return events_json(events) if events else ""

    def rejection_json(self, side: int) -> str:
        """JSON of the event by which `side` rejects it."""
        return event_json(Absage(side, self.proposal.index))


class Disputes:
    """The disputes and proposals of a table."""

    def __init__(self, authors: EntryAuthors) -> None:
        self._authors = authors
        self._evening = authors.evening

    def is_disputed(self, line: SlateLine) -> bool:
        return any(
            line.first_index <= one.of <= line.step.original_index and not one.corrected
            for one in self.open
        )

    @cached_property
    def open(self) -> list[Dispute]:
        return [self._dispute(of) for of in self._evening.state.disputed]

    def _dispute(self, of: int) -> Dispute:
        disputed_round = self._round_of(of)
        disputed_at = self._newest_dispute(of)
        side = int(self._evening.recorded[disputed_at]["side"])
        if disputed_round is None:
            return Dispute(of, None, "", side, corrected=True)
        corrected = any(step.recorded_index > disputed_at for step in disputed_round.steps)
        place, round_name = disputed_round.play[0].place, _round_name(disputed_round)
        return Dispute(of, place, round_name, side, corrected, disputed_round.game)

    @cached_property
    def settled(self) -> list[SettledDispute]:
        """Disputes that another side declared settled during the current game.

        Left out if both sides agreed: the side that disputed has accepted a proposal, or has
        confirmed the game since.
        """
        newest: dict[int, int] = {}
        last_confirmation: dict[int, int] = {}
        recorded = self._evening.recorded
        # Only the current game counts, so stop early.
        for index in range(len(recorded) - 1, -1, -1):
            entry = recorded[index]
            if entry["do"] == NeuesSpiel.do:
                break
            if entry["do"] == Bestaetigt.do:
                last_confirmation.setdefault(entry["side"], index)
            if entry["do"] in (Strittig.do, Geklaert.do):
                newest.setdefault(entry["of"], index)
        settled = []
        for of, index in reversed(newest.items()):
            entry = recorded[index]
            if entry["do"] != Geklaert.do or self._ended_by_acceptance(index):
                continue
            side = int(recorded[self._newest_dispute(of)]["side"])
            has_confirmed = last_confirmation.get(side, -1) > index
            if entry["side"] != side and not has_confirmed:
                settled.append(self._settled_dispute(entry, side))
        return settled

    def _ended_by_acceptance(self, index: int) -> bool:
        """Whether the settlement at `index` was recorded with a yes to a proposal for its round."""
        recorded = self._evening.recorded
        settlement, before = recorded[index], index - 1
        while recorded[before]["do"] == Geklaert.do:
            before -= 1
        accepted = self._evening.proposals.get(recorded[before].get("of", -1))
        if recorded[before]["do"] != Zusage.do or accepted is None:
            return False
        by_same_side = recorded[before]["side"] == settlement["side"]
        rounds = (self._round_of(of) for of in (accepted.correction.of, settlement["of"]))
        places = {played_round and played_round.play[0].place for played_round in rounds}
        return by_same_side and len(places) == 1

    def _round_of(self, of: int) -> PlayedRound | None:
        """The round of the recorded event `of`; None if it was struck out."""
        played_round = round_at(self._evening, EventPlace(of))
        if (
            played_round is None
            or not played_round.play
            or self._was_in_struck_later_round(of, played_round)
        ):
            return None
        return played_round

    def _was_in_struck_later_round(self, of: int, played_round: PlayedRound) -> bool:
        """Whether the event `of` belonged to a later round, which a correction of this one struck
        out."""
        if any(step.original_index == of for step in played_round.steps):
            return False
        between = self._evening.recorded[played_round.first_index : of]
        return any(entry["do"] in _ROUND_ENDS for entry in between)

    def _newest_dispute(self, of: int) -> int:
        """The index of the newest event that disputes the round of the recorded event `of`."""
        recorded = self._evening.recorded
        return next(
            index
            for index in range(len(recorded) - 1, -1, -1)
            if recorded[index]["do"] == Strittig.do and recorded[index]["of"] == of
        )

    def _settled_dispute(self, entry: Mapping[str, Any], side: int) -> SettledDispute:
        disputed_round = self._round_of(entry["of"])
        place, round_name = None, gettext("A round that was taken back")
        if disputed_round is not None:
            place, round_name = disputed_round.play[0].place, _round_name(disputed_round)
        return SettledDispute(entry["of"], place, round_name, side, entry["side"], time_of(entry))

    def has_proposal(self, line: SlateLine) -> bool:
        round_indices = range(line.first_index, line.step.original_index + 1)
        return any(proposal.correction.of in round_indices for proposal in self._open_proposals)

    @cached_property
    def _open_proposals(self) -> tuple[Proposal, ...]:
        return self._evening.proposals.open

    @property
    def proposals(self) -> list[OpenProposal]:
        open_proposals = []
        for proposal in self._open_proposals:
            proposal_round = self._round_of(proposal.correction.of)
            if proposal_round is not None:
                place = proposal_round.play[0].place
                disputed = tuple(dispute.of for dispute in self.open if dispute.place == place)
                round_name = _round_name(proposal_round)
                open_proposals.append(OpenProposal(proposal, place, round_name, disputed))
        return open_proposals

    @property
    def confirmable_games(self) -> list[int]:
        """The unconfirmed games that the side confirming them does not itself dispute."""
        disputed = {dispute.game for dispute in self.open if dispute.side in THEIRS}
        return [game for game in self._authors.unconfirmed_games if game not in disputed]


def _round_name(played_round: PlayedRound) -> str:
    name = gettext(
        "Game %(game)s, round %(number)s", game=played_round.game, number=played_round.number
    )
    return unbroken_numbers(name)
