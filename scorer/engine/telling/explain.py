"""Why, in words: the sentence of every reason and every refusal.

The sentences are English and marked for translation; `say` fills one in. The rules they rest
on stay data, so a screen can lead from the sentence to the rule's own text.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from scorer.engine.input.fields import Unreadable
from scorer.engine.input.lookalikes import twin
from scorer.engine.rules.cards import card_name
from scorer.engine.rules.loading import rulebook
from scorer.engine.scoring.legality import Illegal
from scorer.engine.scoring.state import Reason, Side
from scorer.engine.translatable import N_, Counted

REASONS: Final[Mapping[str, str | Counted]] = {
    "base": N_("A round nobody raised counts {value}"),
    "raised": N_("{side}: {raised} {to}"),
    "stayed": N_("{side}: {stayed}, the round counts {to}"),
    "plays": N_("{side}: {held} ({value})"),
    "fold-agreed": N_("{other}: {folded} ({to}). {side} wrote {delta}, the value last agreed"),
    "fold-fixed": N_("{other}: {folded} ({to}). {side} wrote {delta}, always the same here"),
    "declined": N_("{other}: {given}. {side} wrote {delta}"),
    "gespannt": N_("{other} had nothing left to bet: {side} wrote {delta}"),
    "round-won": Counted(
        "{side} took the round: {delta} point", "{side} took the round: {delta} points", "delta"
    ),
    "round-raised": Counted(
        "{side} took the round at {stake}: {delta} point",
        "{side} took the round at {stake}: {delta} points",
        "delta",
    ),
    "overtricks": Counted(
        "{side} took {tricks} more trick: +{delta}",
        "{side} took {tricks} more tricks: +{delta}",
        "tricks",
    ),
    "capped": N_("{side}: {target} is the end, nothing is written above the target"),
    "penalty": N_("{offence}, {other}: {side} wrote {delta}"),
    "struck": N_("{side} had its own points struck"),
    "near": N_("{side}: {near} at {points}"),
    "near-value": N_("{side}: {near}, the round counts {value}"),
    "four": N_("{side}: {near} and far ahead, the round counts {value}"),
    "retour-chance": N_("{side} at 0, {other} {near}: a Retourschneider is on"),
    "game-won": N_("{side} reached {target}: the game is won"),
    "einfach": N_("{side} lost the game: {bummerl} Bummerl"),
    "schneider": N_("{side} lost without a point, Schneider: {bummerl} Bummerl"),
    "retourschneider": N_("{side}: {near} against 0 and lost, Retourschneider: {bummerl} Bummerl"),
    "verleugnet": N_("{side} revoked: the game is lost, {bummerl} Bummerl"),
    "revoked": N_("{side} revoked: the game is lost"),
    "schoenere-yes": N_("{side} asked for better cards and got them"),
    "schoenere-all": N_("All four give their cards back and get new ones"),
    "schoenere-no": N_("{side} asked for better cards: refused"),
    "schlagtausch-yes": N_("{side} asked to swap Schlag and trump, and it was agreed"),
    "schlagtausch-no": N_("{side} asked to swap Schlag and trump: refused"),
}

CARD_REASONS: Final[Mapping[str, str]] = {
    "card-kritischer": N_("{card} is {a_kritischer}"),
    "card-guter": N_("{card} is {a_guter}, one higher than {a_rechter}"),
    "card-rechter": N_("{card} is {a_rechter}"),
    "card-linker": N_("{card} is {a_linker}"),
    "card-trumpf": N_("{card} is {a_trumpf}"),
    "card-unfarbe": N_("{card} is the highest card of the suit led"),
    "card-equal": N_("{card} and {second} are equal: the one played first wins"),
    "card-beats": N_("{card} beats {second}"),
    "card-fallen": N_("{card} opened the round: it counts as {rechter}, not as {kritischer}"),
    "play-leads": N_("Whoever leads may play any card"),
    "play-no-duty": N_("{card} demands nothing: any card may be played"),
    "play-unbound": N_("Who does not know Schlag and trump is bound to nothing"),
    "play-lifted": N_("{card} is beaten already: any card may be played"),
    "play-cannot": N_("Nothing in this hand has to answer {card}: any card may be played"),
    "play-follows": N_("{card} was led and must be answered: {kinds}"),
    "play-overtakes": N_("Who can must beat the cards on the table"),
    "play-partner-trick": N_("Custom: of the partners the one who knows takes the second trick"),
    "play-overtrumps": N_("{card} was led: who can must beat the trump last played"),
    "play-undertrumps": N_("{card} was led: who cannot beat it must trump at least"),
    "play-cannot-overtrump": N_("Nothing here beats the trump last played: any card may be played"),
    "play-spared": N_("{card} may be played, but need not be"),
    "raise-unlimited": N_("These rules do not limit a raise on the last card"),
    "raise-leads": N_("Whoever leads the last trick is free to raise"),
    "raise-suit": N_("{card} is of the suit led"),
    "raise-trump": N_("{card} is a trump"),
    "raise-schlag": N_("{card} is a Schlag"),
    "raise-winning": N_("{card} takes the trick"),
    "raise-wild": N_("{card} is nothing that allows a raise on the last card"),
}

REFUSALS: Final[Mapping[str, str | Counted]] = {
    "no-such-side": N_("There is no such side at this table"),
    "game-over": N_("The game is over (won by {side}); the next one comes first"),
    "game-running": N_("The game is still running"),
    "sits-out": N_("Out this round: {side}"),
    "at-target": N_("{side} at {points}: the game ends at {target}"),
    "no-retour": N_("These rules know no Retourschneider"),
    "raise-open": N_("{side}: {raised} {to}. The other side must answer first"),
    "decision-open": N_("{side} must first choose: {hold} ({stay_value}) or {give} ({go_value})"),
    "locked-near": N_("{side}: {near}, {no_more}"),
    "locked-both": N_("{other}: {near}, {no_more}"),
    "locked-four": N_("The four is on for {other}: {no_more}"),
    "twice-in-a-row": N_("{side}: not twice in a row"),
    "own-raise-open": N_("{side} must wait for the answer to its own raise"),
    "max-stake": N_("No round counts more than {stake} at this table"),
    "wrong-step": N_("The next raise is to {stake}, not to {to}"),
    "wrong-side": N_("It is not for {side} to answer"),
    "cannot-see": N_("{side}: {near}, and so no more: {stay}"),
    "nothing-to-answer": N_("There is nothing for {side} to answer"),
    "stake-unreachable": N_("This round cannot have come to {stake}"),
    "points-missing": N_("Say how many points the other side gets"),
    "points-fixed": N_("The points of this penalty are fixed by the rules"),
    "no-such-offence": N_("These rules know no penalty for this: {offence}"),
    "not-locked": N_("{side}: raising was allowed"),
    "no-gespannt": N_("These rules know no side that has nothing left to bet"),
    "no-strike": N_("These rules do not strike points"),
    "strike-late": N_("Points are struck between rounds, before the cards are out"),
    "strike-none-near": N_("{side}: points are struck only while another side is {near}"),
    "strike-at-zero": N_("{side}: no points to strike"),
    "strike-near-self": N_("{side}: {near} itself, no strike at this table"),
    "strike-limit": Counted(
        "{side}: the one strike of this game is used up",
        "{side}: all {limit} strikes of this game are used up",
        "limit",
    ),
    "nothing-announced": N_("Say the Schlag, the trump, or both"),
    "no-such-schlag": N_("The Weli is not in this pack"),
    "no-schoenere": N_("These rules know no asking for better cards"),
    "no-schlagtausch": N_("These rules know no swap of Schlag and trump"),
    "too-late": N_("That is settled before the first raise"),
    "no-such-player": N_("Nobody called {dealer} sits at this table"),
    "nobody-sits-out": N_("Only with three sides somebody sits out"),
    "round-begun": N_("This round has begun: who sits out is settled before"),
    "nothing-changed": N_("Say who sits where or who deals"),
    "other-number-of-sides": N_("The table has {sides} sides and keeps them"),
    "disputed-already": N_("This round is in dispute already"),
    "not-disputed": N_("This is settled already: the round is not in dispute"),
    "agreed-already": N_("{side}: agreed already"),
    "after-the-cut": N_(
        "Nothing is written after the cut here: an earlier round is changed only with the other "
        "side's yes"
    ),
    "said-beside": N_("What a side has said beside the play is not corrected"),
    "already-proposed": N_("This has been proposed already and waits for an answer"),
    "already-refused": N_("The other side has said no to this"),
    "own-proposal": N_("{side} cannot say yes to its own proposal"),
    "table-full": N_(
        "This table is full: no more than {most} entries. Open a new one, and count its evening in "
        "with the same regulars"
    ),
    "games-played": Counted(
        "The one game of this table is played: enter the result",
        "All {most} games of this table are played: enter the result",
        "most",
    ),
    "too-many-proposals": N_("{most} proposals wait for an answer: answer or withdraw one first"),
    "no-such-proposal": N_("No such proposal is waiting for an answer"),
    "no-such-event": N_("There is no event {of} to correct"),
    "corrects-correction": N_("A correction can only be taken back, not changed"),
    "nothing-to-undo": N_("There is nothing to undo"),
    "nothing-to-redo": N_("There is nothing to redo"),
}

OFFENCE_NAMES: Final[Mapping[str, str]] = {
    "vergeben": N_("Misdeal"),
    "abgehoben-geschaut": N_("Looked at the cut"),
    "wild-geboten": N_("Wild raise"),
    "krank-geboten": N_("Raised though locked"),
    "nicht-bekannt": N_("Revoked"),
    "sonstige": N_("Other offence"),
}

Translate = Callable[[str], str]
Plural = Callable[[str, str, int], str]


def offence_name(offence: str, words: Mapping[str, str], translate: Translate = str) -> str:
    """What an offence is called: in the region's own words, where its word for raising is its own.

    >>> offence_name("wild-geboten", region_words("bayern", "de"))
    'Wildes Ausschaffen'
    """
    return words.get(offence) or translate(OFFENCE_NAMES.get(offence, offence))


SIDE_NAME: Final = N_("Side {number}")


def english(singular: str, plural: str, number: int) -> str:
    """The form of a sentence that a number takes in English."""
    return singular if number == 1 else plural


def side_name(sides: Sequence[Side], side: int, translate: Translate = str) -> str:
    """What a side is called: its name, else its players, else its number.

    Two that look alike are told apart by their numbers.

    >>> side_name((Side("Wir"), Side("", ("Cilli", "Dora")), Side()), 1)
    'Cilli & Dora'
    >>> side_name((Side("Wir"), Side("wir ")), 1)
    'wir  (2)'
    """
    called = [_called(item) for item in sides]
    if side >= len(sides) or not called[side]:
        return translate(SIDE_NAME).format(number=side + 1)
    others = called[:side] + called[side + 1 :]
    return called[side] if twin(called[side], others) is None else f"{called[side]} ({side + 1})"


def told_apart(sides: Sequence[Side]) -> None:
    """Let players pass that nobody can take for each other.

    >>> told_apart((Side("Wir", ("Anna", "Berta")), Side("Die", ("anna", "Dora"))))
    Traceback (most recent call last):
    scorer.engine.input.fields.Unreadable: players: two are called anna: tell them apart, such as \
anna A. and anna B.

    :raises Unreadable: two look alike
    """
    players = [player for side in sides for player in side.players]
    for at, player in enumerate(players):
        if twin(player, players[:at]) is not None:
            raise Unreadable("players", _TWINS, name=player)


_TWINS: Final = N_("two are called {name}: tell them apart, such as {name} A. and {name} B.")


def _called(side: Side) -> str:
    return side.name or " & ".join(filter(None, side.players))


def isolated(name: str) -> str:
    """A name written from right to left kept to itself, so that no figure beside it moves."""
    turns = any(unicodedata.bidirectional(sign) in ("R", "AL", "AN") for sign in name)
    return f"\u2068{name}\u2069" if turns else name


def say(
    sentence: str | Counted,
    values: Mapping[str, int | str],
    sides: Sequence[Side] = (),
    words: Mapping[str, str] = MappingProxyType({}),
    translate: Translate = str,
    plural: Plural = english,
) -> str:
    """`sentence` with its figures, sides by name and offences in words.

    :param words: the region's own words: for a side close to the target, for staying, for going,
        and for having done so
    :param translate: from the English sentence to the reader's language
    :param plural: the same for a sentence with a number: both English forms, and the number

    >>> say(REASONS["overtricks"], {"side": 0, "tricks": 1, "delta": 1}, (Side("Wir"),))
    'Wir took 1 more trick: +1'
    """
    shown: dict[str, int | str] = {**words, **values}
    for key in ("side", "other"):
        if isinstance(side := values.get(key), int):
            shown[key] = isolated(side_name(sides, side, translate))
    if "offence" in shown:
        offence = str(shown["offence"])
        shown["offence"] = offence_name(offence, words, translate)
    if isinstance(sentence, Counted):
        text = plural(sentence.singular, sentence.plural, int(values[sentence.by]))
    else:
        text = translate(sentence)
    return text.format_map(shown)


def reason_text(
    reason: Reason,
    sides: Sequence[Side] = (),
    words: Mapping[str, str] = MappingProxyType({}),
    translate: Translate = str,
    plural: Plural = english,
) -> str:
    """The sentence of one reason.

    >>> from scorer.engine import Gewinnt, apply, load, start
    >>> reason_text(apply(start(load("bayern")), Gewinnt(0)).because[0])
    'Side 1 took the round: 2 points'
    """
    return say(REASONS[reason.code], reason.values, sides, words, translate, plural)


def region_words(region: str, language: str = "en") -> Mapping[str, str]:
    """What a region calls raising, staying, going and being close to the target.

    >>> region_words("suedtirol", "de")["stay"]
    'halten'
    """
    pages: Mapping[str, Mapping[str, str]] = rulebook(region)["words"]
    return pages.get(language, pages["en"])


def kind_words(region: str, language: str = "en") -> dict[str, str]:
    """What a region calls the kinds of card, by kind; as `a_kind` with its article.

    >>> words = kind_words("bayern", "de")
    >>> words["rechter"], words["a_rechter"], words["a_linker"]
    ('Haube', 'der Haube', 'ein Schlag')
    """
    kinds = rulebook(region)["kinds"]
    named = kinds.get(language, kinds["en"])
    return {
        **{kind: bare for kind, (bare, _) in named.items()},
        **{f"a_{kind}": phrase for kind, (_, phrase) in named.items()},
    }


def card_text(
    reason: Reason,
    kinds: Mapping[str, str],
    translate: Translate = str,
    named: Callable[[str], str] = card_name,
) -> str:
    """The sentence of a reason about cards.

    >>> reason = Reason("card-beats", ("O-26a",), {"card": "H8", "second": "E8"})
    >>> card_text(reason, kind_words("oberoesterreich"))
    'Eight of Hearts beats Eight of Acorns'

    :param kinds: the region's words, from `kind_words`
    :param named: what a card is called in the reader's language
    """
    values = dict(reason.values)
    for key in ("card", "second"):
        if key in values:
            values[key] = named(str(values[key]))
    if "kinds" in values:
        values["kinds"] = ", ".join(kinds[kind] for kind in str(values["kinds"]).split())
    return translate(CARD_REASONS[reason.code]).format_map({**kinds, **values})


def refusal_text(
    refusal: Illegal,
    sides: Sequence[Side] = (),
    words: Mapping[str, str] = MappingProxyType({}),
    translate: Translate = str,
    plural: Plural = english,
    sentences: Mapping[str, str | Counted] = REFUSALS,
) -> str:
    """The sentence of one refusal.

    :param sentences: by code: the table's own, or a tournament's

    >>> refusal_text(Illegal("games-played", most=1))
    'The one game of this table is played: enter the result'
    """
    return say(sentences[refusal.code], refusal.values, sides, words, translate, plural)
