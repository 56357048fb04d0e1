"""What each event does to a tournament."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from scorer.engine import Unreadable
from scorer.engine.translatable import N_
from scorer.tournament import events, outcomes, overturned, people, rounds
from scorer.tournament.agreed import einstellung
from scorer.tournament.reading import series_rules

if TYPE_CHECKING:
    from scorer.tournament.tournament import Tournament


def _preise(tournament: Tournament, event: events.Preise) -> None:
    tournament.prizes = event


def _durchsage(tournament: Tournament, event: events.Durchsage) -> None:
    tournament.announced = event


def _uhr(tournament: Tournament, event: events.Uhr) -> None:
    tournament.clock = event


def _loeschung(tournament: Tournament, event: events.Loeschung) -> None:
    """Who played stays who played, under another name."""


def _serie(tournament: Tournament, event: events.Serie) -> None:
    if event.rule not in series_rules():
        raise Unreadable("rule", N_("must be one of {known}"), known=", ".join(series_rules()))
    tournament.series = event


HANDLERS: Final[Mapping[type[events.Event], Callable[[Tournament, Any], None]]] = {
    events.Anmeldung: people.anmeldung,
    events.Einzeln: people.einzeln,
    events.Aufnahme: people.aufnahme,
    events.Ablehnung: people.ablehnung,
    events.Streichung: people.streichung,
    events.Anwesenheit: people.anwesenheit,
    events.Zulosung: people.zulosung,
    events.Aenderung: people.aenderung,
    events.Abmeldung: people.abmeldung,
    events.Rueckkehr: people.rueckkehr,
    events.Vermerk: people.vermerk,
    events.Einstellung: einstellung,
    events.Durchsage: _durchsage,
    events.Uhr: _uhr,
    events.Auslosung: rounds.auslosung,
    events.Ruecknahme: rounds.ruecknahme,
    events.Tausch: rounds.tausch,
    events.Ergebnis: outcomes.ergebnis,
    events.Leerung: outcomes.leerung,
    events.Widerruf: overturned.widerruf,
    events.Bestaetigung: outcomes.bestaetigung,
    events.Sperre: outcomes.sperre,
    events.Stechen: outcomes.stechen,
    events.Stechtisch: outcomes.stechtisch,
    events.Preise: _preise,
    events.Serie: _serie,
    events.Loeschung: _loeschung,
}
