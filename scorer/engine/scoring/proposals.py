"""Corrections that need the other side's consent."""

from __future__ import annotations

from dataclasses import dataclass, replace

from scorer.engine.aggregate import Illegal
from scorer.engine.scoring.event_types.corrections import Absage, Korrektur, Vorschlag, Zusage


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposed correction and its answer."""

    index: int
    """The index of the recorded event."""
    side: int
    correction: Korrektur
    answer: str = "open"
    """`open`, `yes`, `no`, or `withdrawn` by the proposing party."""

    def is_from_party_of(self, side: int) -> bool:
        """Whether `side` is in the proposing party. Side 0, the writer, is one party. All other
        sides share a phone and are the other party.
        """
        return (self.side == 0) == (side == 0)


class Proposals:
    """The proposals of one evening, in order.

    >>> proposals = Proposals()
    >>> proposals.propose(3, Vorschlag(0, of=1))
    >>> proposals.decline(Absage(1, of=3))
    >>> proposals.propose(5, Vorschlag(0, of=1))
    Traceback (most recent call last):
    scorer.engine.aggregate.Illegal: already-refused
    """

    def __init__(self) -> None:
        self._all: dict[int, Proposal] = {}

    def copy(self) -> Proposals:
        other = Proposals()
        other._all = self._all.copy()
        return other

    @property
    def open(self) -> tuple[Proposal, ...]:
        return tuple(proposal for proposal in self._all.values() if proposal.answer == "open")

    def get(self, index: int) -> Proposal | None:
        return self._all.get(index)

    def propose(self, index: int, event: Vorschlag) -> None:
        """Add a proposal.

        :raises Illegal: the same correction is open or was refused before
        """
        for earlier in self._all.values():
            if earlier.correction == event.correction and earlier.answer in ("open", "no"):
                raise Illegal("already-proposed" if earlier.answer == "open" else "already-refused")
        self._all[index] = Proposal(index, event.side, event.correction)

    def requested_correction(self, event: Zusage) -> Korrektur:
        """The correction that a yes accepts.

        :raises Illegal: there is no such open proposal, or the own party made it
        """
        proposal = self._open_proposal(event.of)
        if proposal.is_from_party_of(event.side):
            raise Illegal("own-proposal", side=event.side)
        return proposal.correction

    def accept(self, event: Zusage) -> None:
        """Mark the proposal as accepted; the caller applies its correction."""
        self._set_answer(event.of, "yes")

    def decline(self, event: Absage) -> None:
        """Mark the proposal as refused, or as withdrawn if the same party made it.

        :raises Illegal: no open proposal
        """
        is_own = self._open_proposal(event.of).is_from_party_of(event.side)
        self._set_answer(event.of, "withdrawn" if is_own else "no")

    def _open_proposal(self, index: int) -> Proposal:
        proposal = self._all.get(index)
        if proposal is None or proposal.answer != "open":
            raise Illegal("no-such-proposal")
        return proposal

    def _set_answer(self, index: int, answer: str) -> None:
        self._all[index] = replace(self._all[index], answer=answer)
