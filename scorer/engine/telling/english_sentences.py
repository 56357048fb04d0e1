"""The English sentence of every reason and refusal by code, marked for translation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from scorer.engine.translatable import N_, Counted

REASONS: Final[Mapping[str, str | Counted]] = {
    "base": N_("A round without a raise counts {value}"),
    "raised": N_("{side} {side.raises}"),
    "stayed": N_("{side} {side.stays}, the round counts {to}"),
    "plays": N_("{side} {side.plays}, the round counts {value}"),
    "fold-agreed": N_(
        "{other} {other.folds} at {to}: {delta} {side:for ~|for us|for ~|for them}, "
        "the value last agreed"
    ),
    "fold-refused": N_(
        "{other} {other.folds} at {to}: {delta} {side:for ~|for us|for ~|for them}, "
        "the refused raise counts"
    ),
    "fold-fixed": N_(
        "{other} {other.folds} at {to}: {delta} {side:for ~|for us|for ~|for them}, "
        "always the same here"
    ),
    "declined": N_("{other} {other.gives}: {delta} {side:for ~|for us|for ~|for them}"),
    "gespannt": N_(
        "{other} {other:has|have} nothing left to bet: {delta} {side:for ~|for us|for ~|for them}"
    ),
    "round-won": Counted(
        "{side} {side:takes|take} the round: {delta} point",
        "{side} {side:takes|take} the round: {delta} points",
        "delta",
    ),
    "round-raised": Counted(
        "{side} {side:takes|take} the round at {stake}: {delta} point",
        "{side} {side:takes|take} the round at {stake}: {delta} points",
        "delta",
    ),
    "overtricks": Counted(
        "{side} {side:takes|take} {tricks} more trick: +{delta}",
        "{side} {side:takes|take} {tricks} more tricks: +{delta}",
        "tricks",
    ),
    "capped": N_("{side} {side:stands|stand} at {target}: no points are written above the target"),
    "penalty": N_(
        "{offence} {other:by ~|by us|by ~|by them}: {delta} {side:for ~|for us|for ~|for them}"
    ),
    "struck": N_("{side} {side:has|have} all points struck"),
    "near": N_("{side} {side:is|are} {near} at {points}"),
    "near-value": N_("{side} {side:is|are} {near}: the round counts {value}"),
    "four": N_("{side} {side:is|are} {near} and far ahead: the round counts {value}"),
    "four-below": N_(
        "{side} {side:is|are} {near}, the others are under {below}: the round counts {value}"
    ),
    "retour-chance": N_(
        "{side} {side:has|have} 0, {other:~ is|we are|~ are|they are} {near}: "
        "a Retourschneider is possible"
    ),
    "game-won": N_("{side} {side:reaches|reach} {target}: the game is won"),
    "einfach": N_("{side} {side:loses|lose} the game: {bummerl} Bummerl"),
    "schneider": N_("{side} {side:loses|lose} without a point, Schneider: {bummerl} Bummerl"),
    "retourschneider": N_(
        "{side} {side:is|are} {near} against 0 and {side:loses|lose}, "
        "Retourschneider: {bummerl} Bummerl"
    ),
    "verleugnet": N_(
        "{side} {side:revokes|revoke} and {side:loses|lose} the game: {bummerl} Bummerl"
    ),
    "revoked": N_("{side} {side:revokes|revoke} and {side:loses|lose} the game"),
    "schoenere-yes": N_("{side} {side:asks|ask} for better cards and {side:gets|get} them"),
    "schoenere-all": N_("All four give their cards back and get new ones"),
    "schoenere-no": N_("{side} {side:asks|ask} for better cards: refused"),
    "schlagtausch-yes": N_("{side} {side:asks|ask} to swap Schlag and trump: agreed"),
    "schlagtausch-no": N_("{side} {side:asks|ask} to swap Schlag and trump: refused"),
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
    "play-no-duty": N_("{card} demands no answer: any card may be played"),
    "play-unbound": N_("Whoever does not know Schlag and trump may play any card"),
    "play-lifted": N_("{card} is beaten already: any card may be played"),
    "play-cannot": N_("Nothing in this hand has to answer {card}: any card may be played"),
    "play-follows": N_("{card} was led and must be answered: {kinds}"),
    "play-overtakes": N_("Whoever can must beat the cards on the table"),
    "play-partner-trick": N_(
        "Custom: the partner who knows Schlag and trump takes the second trick"
    ),
    "play-overtrumps": N_("{card} was led: whoever can must beat the last trump played"),
    "play-undertrumps": N_("{card} was led: whoever cannot beat it must at least trump"),
    "play-cannot-overtrump": N_("Nothing here beats the trump last played: any card may be played"),
    "play-spared": N_("{card} may be played, but need not be"),
    "raise-unlimited": N_("These rules do not limit a raise on the last card"),
    "raise-leads": N_("Whoever leads the last trick is free to raise"),
    "raise-suit": N_("{card} is of the suit led"),
    "raise-kritischer": N_("{card} is {a_kritischer}"),
    "raise-trump": N_("{card} is {a_trumpf}"),
    "raise-rechter": N_("{card} is {a_rechter}"),
    "raise-schlag": N_("{card} is {a_linker}"),
    "raise-winning": N_("{card} takes the trick"),
    "raise-wild": N_("{card} does not allow a raise on the last card"),
}

REFUSALS: Final[Mapping[str, str | Counted]] = {
    "no-such-side": N_("There is no such side at this table"),
    "game-over": N_(
        "The game is over, {side:~ has|we have|~ have|they have} won: start the next one first"
    ),
    "game-running": N_("The game is still running"),
    "sits-out": N_("{side} {side:sits|sit} out this round"),
    "at-target": N_("{side} {side:has|have} {points}: the game ends at {target}"),
    "no-retour": N_("These rules have no Retourschneider"),
    "raise-open": N_("{side} {side.raises}: the other side must answer first"),
    "decision-open": N_("{side} must first choose: {play} ({stay_value}) or {give} ({go_value})"),
    "locked-near": N_("{side} {side:is|are} {near}: {no_more}"),
    "locked-both": N_("{other} {other:is|are} {near}: {no_more}"),
    "locked-four": N_("{other} {other:is|are} {near} and the round counts 4: {no_more}"),
    "twice-in-a-row": N_("{side} may not raise twice in a row"),
    "own-raise-open": N_("{side} raised last and must wait for the answer"),
    "max-stake": N_("No round can count more than {stake} at this table"),
    "wrong-step": N_("The next raise is to {stake}, not to {to}"),
    "wrong-side": N_("It is not {side:~'s|our|~'s|their} turn to answer"),
    "cannot-see": N_("{side} {side:is|are} {near} and may no longer say “{stay}”"),
    "nothing-to-answer": N_("There is nothing {side:for ~|for us|for ~|for them} to answer"),
    "stake-unreachable": N_("This round cannot have come to {stake}"),
    "points-missing": N_("Enter how many points the other side gets"),
    "points-fixed": N_("The points of this penalty are fixed by the rules"),
    "no-such-offence": N_("These rules have no penalty for this: {offence}"),
    "not-locked": N_("{side} {side:was|were} allowed to raise"),
    "no-gespannt": N_("By these rules no side is marked as having nothing left to bet"),
    "no-strike": N_("These rules do not strike points"),
    "strike-late": N_("Points are struck between rounds, before the cards are out"),
    "strike-none-near": N_("{side} may have points struck only while another side is {near}"),
    "strike-at-zero": N_("{side} {side:has|have} no points to strike"),
    "strike-near-self": N_("{side} {side:is|are} {near} too: no strike at this table"),
    "strike-limit": Counted(
        "{side} {side:has|have} used up the one strike of this game",
        "{side} {side:has|have} used up all {limit} strikes of this game",
        "limit",
    ),
    "nothing-announced": N_("Name the Schlag, the trump, or both"),
    "announced-blind": N_(
        "Only the announcers know Schlag and trump: they are noted once the round is over"
    ),
    "no-such-schlag": N_("The Weli is not in this pack"),
    "no-schoenere": N_("By these rules nobody may ask for better cards"),
    "no-schlagtausch": N_("These rules have no swap of Schlag and trump"),
    "too-late": N_("That belongs to the announcement: it comes before raises and decisions"),
    "no-such-player": N_("Nobody called {dealer} sits at this table"),
    "nobody-sits-out": N_("A player sits out only with three sides"),
    "round-begun": N_("This round has begun: who sits out is settled beforehand"),
    "nothing-changed": N_("Choose who sits where, or who deals"),
    "other-number-of-sides": N_("The table has {sides} sides and keeps them"),
    "disputed-already": N_("This round is already in dispute"),
    "not-disputed": N_("This is settled already: the round is not in dispute"),
    "agreed-already": N_("{side} {side:has|have} already agreed"),
    "after-the-cut": N_(
        "An earlier round, or one that the sides have agreed on, is changed only if the other "
        "side agrees"
    ),
    "said-beside": N_("What a side has said beside the play is not corrected"),
    "already-proposed": N_("This has been proposed already and waits for an answer"),
    "already-refused": N_("The other side has said no to this"),
    "own-proposal": N_("{side} made this proposal and cannot accept it"),
    "table-full": N_(
        "This table is full: no more than {most} entries. Open a new one, and add its evening "
        "to the same ledger"
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
    "sonstige": N_("Offence"),
}
