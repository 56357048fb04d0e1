"""Corrections that wait for the other side's yes."""

from __future__ import annotations

from dataclasses import dataclass, replace

from scorer.engine.aggregate import Illegal
from scorer.engine.scoring.event_types.corrections import Absage, Korrektur, Vorschlag, Zusage


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposed correction and how it fared."""

    index: int
    """Where it was recorded."""
    side: int
    """Who proposed it."""
    correction: Korrektur
    answer: str = "open"
    """`open`, `yes`, `no`, or `withdrawn` by who proposed it."""


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
        """The same proposals, to be gone on with while these stay as they are."""
        other = Proposals()
        other._all = self._all.copy()
        return other

    @property
    def open(self) -> tuple[Proposal, ...]:
        """Those that nobody has answered."""
        return tuple(proposal for proposal in self._all.values() if proposal.answer == "open")

    def at(self, index: int) -> Proposal | None:
        """The proposal recorded at `index`."""
        return self._all.get(index)

    def propose(self, index: int, event: Vorschlag) -> None:
        """Take note of a proposal.

        :raises Illegal: the same waits for an answer, or was refused: that stays so
        """
        for earlier in self._all.values():
            if earlier.correction == event.correction and earlier.answer in ("open", "no"):
                raise Illegal("already-proposed" if earlier.answer == "open" else "already-refused")
        self._all[index] = Proposal(index, event.side, event.correction)

    def asked(self, event: Zusage) -> Korrektur:
        """The correction that a yes is about.

        :raises Illegal: nothing is asked, or a side answers itself
        """
        proposal = self._open(event.of)
        if proposal.side == event.side:
            raise Illegal("own-proposal", side=event.side)
        return proposal.correction

    def accept(self, event: Zusage) -> None:
        """Take note of a yes that has been carried out."""
        self._answer(event.of, "yes")

    def decline(self, event: Absage) -> None:
        """Take note of a no.

        :raises Illegal: nothing is asked
        """
        own = self._open(event.of).side == event.side
        self._answer(event.of, "withdrawn" if own else "no")

    def _open(self, index: int) -> Proposal:
        proposal = self._all.get(index)
        if proposal is None or proposal.answer != "open":
            raise Illegal("no-such-proposal")
        return proposal

    def _answer(self, index: int, answer: str) -> None:
        self._all[index] = replace(self._all[index], answer=answer)
