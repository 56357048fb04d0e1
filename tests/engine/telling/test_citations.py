"""The cited rule says what the sentence says, for every rule set and switch."""

import json
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.engine import (
    REGIONS,
    BadRules,
    Contract,
    Illegal,
    Unreadable,
    apply,
    judge,
    parse,
    replay,
    result,
    rulebook,
    rules_of,
    start,
    with_switches,
)
from scorer.engine.input.codec import json_value
from scorer.engine.rules.cards import SCHLAEGE, SUITS
from scorer.engine.rules.ruleset import OFFENCES, SWITCHES
from scorer.engine.scoring.event_types.before_bidding import (
    Ansage,
    NeuesSpiel,
    Schlagtausch,
    Schoenere,
    SetztAus,
)
from scorer.engine.scoring.event_types.bids import Bieten, Bleiben, Gehen
from scorer.engine.scoring.event_types.penalties import Strafe
from scorer.engine.scoring.event_types.round_end import Gespannt, Gewinnt, Streichen
from tests.engine.notation import evening_from, events, played_evening
from tests.engine.strategies import any_event, evenings
from tests.sampling import examples, mostly_slow, slow

many = examples(20)


def reasons_and_refusals(evening, tried):
    """Every reason and refusal of an evening, and of the events tried at its end."""
    for step in evening.steps:
        yield from (*step.after.because, step.after.opening_reason)
    for event in tried:
        try:
            event.check(evening.state)
        except Illegal as refused:
            yield refused


@many
@given(evenings(statements=True), st.lists(any_event(), max_size=12))
def test_replaced_rule_is_never_cited(evening, tried):
    rules = evening.state.rules
    for told in reasons_and_refusals(evening, tried):
        replaced = {rule for own in told.house_rules for rule in own.replaces}
        assert not replaced.intersection(told.rule_ids), (
            told.code,
            told.rule_ids,
            told.house_rules,
        )
        for own in told.house_rules:
            assert own.switch in rules.house_switches
            assert own.value == getattr(rules, own.switch)


# One switch at a time

SIDES = (0, 1)
TRIED = (
    *(kind(side) for kind in (Bieten, Bleiben, Gehen, Streichen, Gespannt) for side in SIDES),
    *(Gewinnt(side) for side in SIDES),
    *(Gewinnt(0, stake=stake) for stake in range(1, 7)),
    *(Strafe(side, offence) for side in SIDES for offence in OFFENCES[:-1]),
    *(kind(0, agreed) for kind in (Schoenere, Schlagtausch) for agreed in (True, False)),
    *(Bieten(0, 9), Gewinnt(0, 4), Strafe(0, "sonstige", 3), Strafe(0, "vergeben", 3)),
    *(NeuesSpiel(), SetztAus(0), Ansage("6", "H")),
)
FIRST = [event for event in TRIED if event.do in ("bieten", "bleiben", "schlagtausch")]
FIRST += [Strafe(side, "sonstige", 3) for side in SIDES]


def other_values(region, switch):
    """The region's rules with each other value of a switch, also with those of other regions."""
    entry = rulebook(region)["rules"][switch]
    found = [
        *entry.get("or", ()),
        *(json_value(getattr(rules_of(other), switch)) for other in REGIONS),
    ]
    for value in found:
        try:
            rules = with_switches(rules_of(region), {switch: value})
        except BadRules:
            continue
        if switch in rules.house_switches:
            yield rules


def outcome(state, event):
    """The reasons or the refusal of an event (a list), and whether it was refused."""
    try:
        return [*apply(state, event).because], False
    except Illegal as refused:
        return [refused], True


def sentence(told):
    # The refusal because of an open raise names the raise, but does not depend on its value.
    values = {} if told.code == "raise-open" else told.values
    return told.code, tuple(sorted(values.items()))


DECIDED = {
    ("schneider", "einfach"): "on one point, the house rule supports the sentence (U18)",
    ("target", "game-running"): "the target is what the game runs to",
    ("target", "game-over"): "the target is what the game went to",
    ("wild_bid", "penalty"): "the agreed penalty is what was written",
    ("step", "round-raised"): "the agreed step led to the stake",
}
"""Sentences that name a house rule although the region's value leads to the same sentence."""


@pytest.mark.parametrize("times", [1, *slow(3)])
@pytest.mark.parametrize("region", mostly_slow(REGIONS))
def test_house_rule_is_named_exactly_when_it_matters(region, times):
    """Compare the region's rules with one changed switch, in random situations.

    A sentence that is the same under both cites the same rules and no house rule. Any other
    sentence names the house rule.
    """
    chance, wrong = Random(region), set()
    for switch in SWITCHES:
        for rules in other_values(region, switch):
            for _ in range(times):
                wrong |= citation_problems(rules_of(region), rules, switch, chance)
    assert not wrong


def citation_problems(own, rules, switch, chance):
    """The problems in one situation, as tuples that begin with (problem, switch, code)."""
    ends = [min(own.target, rules.target) - n for n in (1, 2, 2, 3, 5)]
    points = [chance.choice([0, 1, 4, *ends]) for _ in SIDES]
    states = [start(one, points=[max(0, at) for at in points]) for one in (own, rules)]
    for _ in range(chance.randrange(3)):
        event = chance.choice(FIRST)
        told = [outcome(state, event) for state in states]
        if not any(refused for _, refused in told):
            states = [apply(state, event) for state in states]
    wrong = set()
    for event in TRIED:
        (usual, was_refused), (told, _) = (outcome(state, event) for state in states)
        same = {sentence(one): one for one in usual}
        for at, one in enumerate(told):
            named = {house_rule.switch for house_rule in one.house_rules}
            assert named <= {switch}
            assert not {r for own_rule in one.house_rules for r in own_rule.replaces} & set(
                one.rule_ids
            )
            if (switch, one.code) in DECIDED or one.code == "stake-unreachable":
                continue
            if (other := same.get(sentence(one))) is None:
                # A sentence after another new one, or instead of a refusal, needs no house rule.
                follows = any(sentence(before) not in same for before in told[:at])
                if not named and not was_refused and not follows:
                    wrong.add(("part not named", switch, one.code, event, tuple(points)))
            elif named:
                wrong.add(("named without a part", switch, one.code, event, tuple(points)))
            elif one.code != "nothing-to-answer" and one.rule_ids != other.rule_ids:
                wrong.add(("other rules", switch, one.code, one.rule_ids, other.rule_ids))
    return wrong


ON_CARDS = [name for name in SWITCHES if name.startswith(("follow_", "critical_", "weli"))]
ON_CARDS += ["deck", "guter_variants", "hauptschlag_falls", "overtake", "last_card"]


@pytest.mark.parametrize("region", mostly_slow(REGIONS))
def test_card_answers_cite_rules_or_house_rules(region):
    chance = Random(region)
    turned = [rules for name in ON_CARDS for rules in other_values(region, name)]
    for _ in range(600):
        rules = chance.choice([rules_of(region), *turned])
        try:
            contract = Contract(rules, chance.choice(SCHLAEGE), chance.choice(SUITS))
        except Unreadable:
            continue
        cards = chance.sample(contract.pack, 9)
        flags = {name: chance.random() < 0.4 for name in ("partner_led", "announced")}
        flags |= {name: chance.random() < 0.4 for name in ("first_trick", "second_trick")}
        table = cards[5 : 5 + chance.randrange(4)]
        because = (
            *contract.judge_winner(cards[:4], flags["first_trick"]).because,
            *contract.judge_legal(cards[:5], table, **flags).because,
            *contract.judge_raise(cards[0], table)[1],
        )
        for reason in because:
            replaced = {rule for own in reason.house_rules for rule in own.replaces}
            assert not replaced.intersection(reason.rule_ids), (reason.code, reason.rule_ids)
            assert {own.switch for own in reason.house_rules} <= rules.house_switches
            if rules == rules_of(region) and reason.code not in UNSAID:
                assert reason.rule_ids, reason.code
            if reason.code == "play-no-duty":
                assert not RANKS_ALONE.intersection(reason.rule_ids), reason.rule_ids


@pytest.mark.parametrize("region", mostly_slow(REGIONS[::-1]))
def test_unnamed_house_rule_adds_no_cited_rules(region):
    chance = Random(region)
    for rules in [rules for name in ON_CARDS for rules in other_values(region, name)]:
        for variant in rules.variants:
            both = (
                replace(rules, variant=variant),
                with_switches(rules_of(region), {}, variant),
            )
            for _ in range(8):
                usual, turned = card_answers(both, chance)
                for told, reason in turned.items():
                    if told in usual and not reason.house_rules:
                        known = usual[told].rule_ids
                        assert set(reason.rule_ids) <= set(known), (rules.house_switches, told)
                        assert bool(reason.rule_ids) == bool(known), (rules.house_switches, told)


def card_answers(both, chance):
    """The reasons about a random trick by sentence: one dict by the region's rules, one by the
    changed rules."""
    schlag, trumpf = chance.choice(SCHLAEGE), chance.choice(SUITS)
    try:
        turned, usual = (Contract(rules, schlag, trumpf) for rules in both)
    except Unreadable:
        return {}, {}
    cards = [card for card in turned.pack if card in usual.pack]
    high = [card for card in cards if turned.kind(card) != "unfarbe"][:9]
    trick = [*dict.fromkeys(chance.sample([*high, *cards], 5))]
    found = []
    for contract in (usual, turned):
        because = (
            *contract.judge_winner(trick[:4]).because,
            *contract.judge_legal(trick[1:], trick[:1]).because,
            *contract.judge_raise(trick[0], trick[1:3])[1],
        )
        found.append({sentence(reason): reason for reason in because})
    return found


UNSAID = ("play-leads", "raise-leads", "card-equal")
"""Sentences that need no rule, because some document takes them for granted."""

RANKS_ALONE = {
    rule
    for region in REGIONS
    for kind in ("kritischer", "guter", "rechter", "linker", "trumpf")
    for rule in rules_of(region).rule_ids(kind)
}
"""Rules that only rank cards and do not say which card must be played."""


def refusal_of(events, rules="oberoesterreich", points=(0, 0), **switches):
    head = {"watten": 1, "rules": rules, "start": {"points": list(points)}, "set": switches}
    evening, refusal = replay({**head, "events": events})
    return result(evening.state, refusal)["error"]


BID = {"do": "bieten", "side": 0}
STAY, FOLD = ({"do": do, "side": 1} for do in ("bleiben", "gehen"))


def test_answering_own_raise_cites_the_region_rule():
    for region, rule in zip(REGIONS, ("O-44", "B-23", "E-22", "I-39", "F-32"), strict=True):
        error = refusal_of([BID, {"do": "bleiben", "side": 0}], region)
        assert (error["code"], error["rule"]) == ("wrong-side", rule)


@pytest.mark.parametrize(
    ("region", "points", "text", "switches", "rules"),
    [
        ("oberoesterreich", (7, 7), "A:3", {}, "O-50 U2"),
        ("oberoesterreich", (7, 7), "A+", {}, "O-50 U2"),
        ("oberoesterreich", (7, 0), "A+", {}, "O-50"),
        ("oberoesterreich", (7, 0), "B+ A+", {}, "O-50 U19"),
        ("oberoesterreich", (7, 0), "A:4", {}, "O-43 O-50 U19"),
        ("oberoesterreich", (7, 0), "A:3", {"near_lock": "both"}, ""),
        ("oberoesterreich", (9, 0), "A+", {"target": 11}, "O-50 U24"),
        ("oberoesterreich", (0, 0), "A:1", {}, "O-42 O-40"),
        ("bayern", (13, 13), "A:2", {}, "B-24 B-27"),
        ("oberoesterreich", (7, 0), "A:1", {"near_value": 3}, "O-42"),
        ("oberoesterreich", (7, 0), "Bx", {}, "U7"),
        ("oberoesterreich", (7, 2), "B+ Bx", {}, "U7"),
        ("bayern", (9, 2), "A= B+", {"target": 11}, "B-30 V10 V11"),
        ("bayern", (9, 2), "B+", {"target": 11}, "B-28 V9 V11"),
        ("suedtirol", (16, 16), "A+", {}, "E-27"),
        ("suedtirol", (16, 12), "A= A!sonstige:3 A:2", {"max_stake": 5}, "W1 E-28"),
    ],
)
def test_refusals_cite_the_matching_rules(region, points, text, switches, rules):
    with pytest.raises(Illegal) as refused:
        played_evening(region, text, points, **switches)
    assert refused.value.rule_ids == tuple(rules.split())
    assert {own.switch for own in refused.value.house_rules} <= {
        "near_lock",
        "target",
        "near_value",
    }


@pytest.mark.parametrize(
    ("region", "points", "text", "switches", "code", "rules"),
    [
        ("bayern", (9, 2), "A= B", {"target": 11}, "near-value", "B-27 V11"),
        ("bayern", (9, 2), "A= B", {"target": 11}, "round-won", "B-27 V11"),
        ("bayern", (9, 2), "A=", {"target": 11}, "plays", "B-28 V9 V11"),
        ("bayern", (14, 0), "A= A", {}, "einfach", "R2 V12"),
        ("trentino", (13, 9), "A", {"four_lead": 4}, "four", "I-45"),
        ("trentino", (14, 10), "A", {"four_lead": 4}, "four", ""),
        ("trentino", (9, 5), "A", {"target": 11}, "four", "X8 I-45"),
        ("suedtirol", (16, 12), "A= A", {"four_if_opponent_below": 15}, "four", "E-28"),
        ("suedtirol", (16, 14), "A= A", {"four_if_opponent_below": 15}, "four", ""),
        ("oberoesterreich", (9, 0), "", {"target": 11}, "retour-chance", "O-53 U6 U24"),
        ("oberoesterreich", (7, 2), "A", {"target": 11}, "near", "U24"),
        ("oberoesterreich", (8, 2), "A", {}, "game-won", "O-49 U1"),
        ("oberoesterreich", (10, 2), "A", {"target": 11}, "game-won", "O-57 U1"),
    ],
)
def test_reasons_cite_the_matching_rules(region, points, text, switches, code, rules):
    because = played_evening(region, text, points, **switches).state.because
    [told] = [reason for reason in because if reason.code == code]
    assert told.rule_ids == tuple(rules.split())


def because(region, events, points=(0, 0), **switches):
    evening = evening_from(events, rules=region, start={"points": list(points)}, set=switches)
    return result(evening.state)["because"]


def test_reasons_in_json_cite_the_matching_rules():
    for region, rules in (("bayern", ["B-24"]), ("suedtirol", ["E-22", "W1"])):
        assert because(region, [BID, STAY])[0]["rules"] == rules
    assert "F-35" not in because("frankreich", [BID, STAY])[0]["rules"]
    won = because("bayern", [{"do": "gewinnt", "side": 0, "stake": 4}], (11, 0))
    assert [reason["rules"] for reason in won if reason["code"] == "game-won"] == [["B-03"]]
    swap = {"do": "schlagtausch", "side": 0, "agreed": False}
    assert "E-18" in because("suedtirol", [swap])[0]["rules"]
    assert because("trentino", [{"do": "gewinnt", "side": 0}], (13, 9))[0]["values"]["below"] == 10
    misdeal = {"do": "strafe", "side": 0, "offence": "vergeben"}
    assert because("oberoesterreich", [misdeal])[0]["rules"] == ["O-13"]


def test_penalty_mid_round_keeps_the_rounds_rule():
    begun = {"do": "ansage", "schlag": "9", "trumpf": "H"}
    penalty = {"do": "strafe", "side": 0, "offence": "sonstige", "points": 3}
    told = because("bayern", [begun, penalty, {"do": "gewinnt", "side": 0}], (0, 11))
    assert [reason["rules"] for reason in told if reason["code"] == "round-won"] == [["B-02"]]


LOCKED = {"bayern": "V10", "suedtirol": "W5", "trentino": "", "frankreich": ""}


@pytest.mark.parametrize(("region", "rule"), LOCKED.items())
def test_locked_raise_penalty_is_refused_with_rule(region, rule):
    near = rules_of(region).target - 1
    error = refusal_of([{"do": "strafe", "side": 0, "offence": "krank-geboten"}], region, (near, 0))
    assert (error["code"], error["rule"]) == ("no-such-offence", rule)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("B-", ("declined", ("B-29",))),
        ("B=", ("plays", ("B-28", "V9"))),
        ("A+", ("decision-open", ("B-28", "V9"))),
        ("A=", ("wrong-side", ("B-28", "V9"))),
    ],
)
def test_points_mid_round_do_not_change_the_decider(text, told):
    """Only the side that was asked decides, even if the other is gespannt by now (V2)."""
    begun = [{"do": "ansage", "schlag": "9", "trumpf": "H"}, *events("B!sonstige:2")]
    state = evening_from(begun, rules="bayern", start={"points": [12, 14]}).state
    [event] = [parse(one) for one in events(text)]
    because, _ = outcome(state, event)
    assert (because[0].code, because[0].rule_ids) == told


@pytest.mark.parametrize(
    ("region", "switches", "text", "rules"),
    [
        ("oberoesterreich", {}, "A!nicht-bekannt A", "O-33 U8"),
        ("oberoesterreich", {}, "A:9 A", "O-49"),
        ("bayern", {"revoke": "bummerl"}, "A!nicht-bekannt A", ""),
    ],
)
def test_game_over_refusal_cites_points_or_revoke_rule(region, switches, text, rules):
    *before, last = events(text)
    [refused], _ = outcome(evening_from(before, rules=region, set=switches).state, parse(last))
    assert (refused.code, refused.rule_ids) == ("game-over", tuple(rules.split()))
    assert {own.switch for own in refused.house_rules} == set(switches)


@pytest.mark.parametrize(
    ("variant", "switches", "rules", "named"),
    [
        ("kritisch", {"peek": "none"}, "O-10 U25", []),
        ("latinisch", {}, "O-10 U25", []),
        ("kritisch", {"peek_penalty_variants": ["normal"]}, "O-10 U25", []),
        ("deuten", {"peek_penalty_variants": ["normal"]}, "", ["peek_penalty_variants"]),
        ("deuten", {"peek": "none"}, "", ["peek"]),
    ],
)
def test_free_peek_cites_variant_or_house_rule(variant, switches, rules, named):
    state = evening_from("", variant=variant, set=switches).state
    [refused], _ = outcome(state, Strafe(0, "abgehoben-geschaut"))
    assert (refused.code, refused.rule_ids) == ("no-such-offence", tuple(rules.split()))
    assert [own.switch for own in refused.house_rules] == named


@pytest.mark.parametrize(
    ("region", "points", "stake", "switches", "rules"),
    [
        ("oberoesterreich", (7, 2), 4, {"max_stake": 3}, ""),
        ("oberoesterreich", (4, 7), 4, {"step": 3}, ""),
        ("oberoesterreich", (5, 7), 4, {"near_lock": "both"}, ""),
        ("oberoesterreich", (0, 8), 8, {"near_lock": "bets"}, ""),
        ("frankreich", (9, 2), 8, {"near": 2}, "Y4"),
    ],
)
def test_unreachable_stake_cites_the_tables_limit(region, points, stake, switches, rules):
    """The refusal names the house rule even if the region's value excludes the stake, too."""
    state = evening_from("", rules=region, start={"points": list(points)}, set=switches).state
    [refused], _ = outcome(state, Gewinnt(0, stake=stake))
    assert (refused.code, refused.rule_ids) == ("stake-unreachable", tuple(rules.split()))
    assert {own.switch for own in refused.house_rules} == set(switches)


def test_revoke_among_three_cites_o33_and_o55():
    sides = [{"name": name} for name in ("Anna", "Berta", "Cilli")]
    switches = {"revoke_counts_schneider": True}
    head = {"sides": sides, "start": {"points": [4, 2, 3]}, "set": switches}
    because = evening_from("A!nicht-bekannt", **head).state.because
    assert {one.code: one.rule_ids for one in because} == {
        "revoked": ("O-33",),
        "einfach": ("O-55",),
    }


@pytest.mark.parametrize("table", [[], ["E7"]])
def test_unlimited_raise_does_not_cite_the_pack(table):
    contract = Contract(with_switches(rules_of("frankreich"), {"deck": 33}), "K", "E")
    _, [reason] = contract.judge_raise("S6", table)
    assert (reason.code, reason.rule_ids, reason.house_rules) == ("raise-unlimited", ("F-31",), ())


Y2 = {"fold_counts_refused": ["Y2"]}


@pytest.mark.parametrize(
    ("switch", "region", "points", "events", "code", "house"),
    [
        ("four_lead=4", "bayern", (13, 2), "A= A", "four", {"four_lead": []}),
        ("decline=near", "oberoesterreich", (7, 0), "A=", "plays", {"decline": []}),
        ("decline=near", "trentino", (13, 10), "A=", "plays", {"decline": ["I-46", "X3"]}),
        ("schneider=0", "oberoesterreich", (7, 0), "A", "einfach", {"schneider": ["O-54", "U18"]}),
        ("schneider=0", "oberoesterreich", (7, 2), "A", "einfach", {}),
        ("schneider=3", "oberoesterreich", (7, 1), "A", "einfach", {"schneider": ["O-54", "U18"]}),
        ("retour=0", "oberoesterreich", (7, 6), "Bx B:3 B:3 B:3", "einfach", {"retour": None}),
        ("fold_counts_refused=1", "frankreich", (0, 0), "A+ B-", "fold-refused", Y2),
        ("fold_counts_refused=1", "frankreich", (0, 0), "A+ B= A", "round-raised", {}),
        ("near_value=3", "oberoesterreich", (7, 0), "A", "near-value", {"near_value": ["U2"]}),
        ("strike=1", "bayern", (13, 4), "Bx", "struck", {"strike": []}),
        ("penalty_ends_round=[]", "oberoesterreich", (0, 0), "A!sonstige:3", "penalty", {}),
        ("near_lock=none", "trentino", (13, 12), "A+ B=", "stayed", {}),
        ("deck=33", "frankreich", (0, 0), "A", "round-won", {}),
        ("step=3", "trentino", (0, 0), "A+ B!wild-geboten", "penalty", {}),
        ("step=3", "trentino", (0, 0), "A+ B= B!wild-geboten", "penalty", {"step": ["I-38"]}),
    ],
)
def test_reason_lists_house_rules_and_replaced_rules(switch, region, points, events, code, house):
    name, _, value = switch.partition("=")
    value = value if value in ("near", "none") else json.loads(value)
    value = bool(value) if isinstance(getattr(rules_of(region), name), bool) else value
    head = {"rules": region, "start": {"points": list(points)}, "set": {name: value}}
    state = evening_from(events, **head).state
    told = next(reason for reason in state.because if reason.code == code)
    assert [own.switch for own in told.house_rules] == list(house)
    for own in told.house_rules:
        assert house[own.switch] is None or list(own.replaces) == house[own.switch]


def cited_rules(**question):
    return [reason["rule"] for reason in judge(question)["because"]]


def test_weli_as_schlag_cites_the_regional_ruling():
    asked = {"ask": "winner", "schlag": "6", "trumpf": "H", "cards": ["S6", "HA"]}
    assert cited_rules(**asked, rules="oberoesterreich")[0] == "U12"
    assert cited_rules(**asked, rules="suedtirol")[0] == "W6"
    assert cited_rules(**asked, rules="trentino")[:2] == ["I-22", "X4"]


def test_card_answers_cite_expected_rules():
    asked = {"ask": "winner", "rules": "trentino", "schlag": "9", "trumpf": "H"}
    assert cited_rules(**asked, cards=["S6", "EA"])[0] == "I-23"
    assert "I-19" not in cited_rules(**asked, cards=["E9", "L9"])[2:]
    kritisch = {**asked, "rules": "oberoesterreich", "variant": "kritisch"}
    assert "O-27" not in cited_rules(**kritisch, cards=["E9", "HK"])
    led = {"ask": "legal", "rules": "frankreich", "schlag": "9", "trumpf": "H", "table": ["H9"]}
    assert cited_rules(**led, hand=["HA", "HK"])[0] == "F-23"
    latin = {"ask": "legal", "rules": "oberoesterreich", "variant": "latinisch", "schlag": "9"}
    latin |= {"trumpf": "H", "table": ["E7"], "hand": ["EA"]}
    assert "O-63" not in cited_rules(**latin)
    assert "O-63" in cited_rules(**latin, second_trick=True)


@pytest.mark.parametrize(
    ("region", "announced", "cards", "rules"),
    [
        ("frankreich", "7E", "E7 EA", "F-08 Y13 F-10 Y13"),
        ("frankreich", "7E", "HK E7", "F-08 F-08"),
        ("frankreich", "8E", "E7 E8", "F-08 F-10"),
        ("bayern", "8E", "HK S7", "V3 V3"),
        ("bayern", "8E", "HK E8", "V3 B-12"),
        ("bayern", "KH", "HK HA", "V3 V4 B-12 V4"),
        ("bayern", "8E", "LA L9", "B-14 B-15 B-14"),
        ("kritisch-wander", "OH", "HK HA", "O-59 U13 O-59 U13"),
        ("kritisch-wander", "8L", "HK L9", "O-59 U13"),
        ("oberoesterreich", "8S", "S7 S6", "O-26c O-26c U12"),
        ("suedtirol", "8S", "S6 HA", "E-14c W6"),
        ("trentino", "8S", "S7 S6", "I-20 I-20 X5"),
    ],
)
def test_card_ranks_cite_the_matching_rules(region, announced, cards, rules):
    schlag, trumpf = announced
    asked = {"ask": "winner", "rules": region, "schlag": schlag, "trumpf": trumpf}
    if region.startswith("kritisch"):
        asked |= {"rules": "oberoesterreich", "variant": region}
    assert cited_rules(**asked, cards=cards.split()) == rules.split()


@pytest.mark.parametrize(
    ("region", "announced", "table", "switches", "rules"),
    [
        ("oberoesterreich", "8H", "", {}, "O-37"),
        ("oberoesterreich", "8H", "H9", {}, "O-30 U9"),
        ("oberoesterreich", "8H", "H8", {}, "O-32 U9"),
        ("oberoesterreich", "8H", "L8", {}, "O-30 O-32"),
        ("oberoesterreich", "8H", "H8", {"follow_first_only": True}, ""),
        ("kritisch", "8H", "E7", {}, "U10"),
        ("bayern", "8H", "H8", {}, "B-19"),
        ("bayern", "8H", "E7", {}, "B-19"),
        ("bayern", "KH", "HK", {}, "B-19"),
        ("frankreich", "8H", "H9", {}, "F-22 F-23"),
        ("frankreich", "8H", "E7", {}, "F-22"),
        ("frankreich", "8H", "H8", {}, "F-25 Y1"),
        ("trentino", "8H", "L8", {}, "I-27"),
        ("trentino", "8H", "E9", {"overtake": True}, ""),
    ],
)
def test_follow_duties_cite_the_matching_rules(region, announced, table, switches, rules):
    schlag, trumpf = announced
    asked = {"ask": "legal", "rules": region, "schlag": schlag, "trumpf": trumpf, "set": switches}
    if region == "kritisch":
        asked |= {"rules": "oberoesterreich", "variant": region}
    told = judge({**asked, "table": table.split(), "hand": ["H7", "EA", "LA", "E10"]})["because"]
    assert [reason["rule"] for reason in told if reason["rule"]] == rules.split()


@pytest.mark.parametrize(
    ("region", "switches", "table", "named"),
    [
        ("frankreich", {"critical_cards": []}, "E7", False),
        ("oberoesterreich", {"critical_variants": []}, "E7", True),
        ("trentino", {"guter_variants": []}, "H9", False),
        ("oberoesterreich", {"follow_first_only": True}, "H8", True),
    ],
)
def test_duty_names_house_rule_only_if_it_matters(region, switches, table, named):
    asked = {"ask": "legal", "rules": region, "schlag": "8", "trumpf": "H", "set": switches}
    if region == "oberoesterreich":
        asked["variant"] = "kritisch"
    told = judge({**asked, "table": [table], "hand": ["H7", "EA"]})["because"]
    assert ("house rule of this table" in told[0]["text"]) is named


def test_weli_as_schlag_is_called_rechter():
    asked = {"ask": "last_bid", "rules": "oberoesterreich", "schlag": "6", "trumpf": "H"}
    asked |= {"set": {"weli_schlag": "alone"}, "card": "S6", "table": ["L9"]}
    assert judge(asked)["because"][0]["text"].startswith("Weli is the Rechter")


def test_house_rule_lists_the_rules_it_replaces():
    [fold] = because("bayern", [BID, FOLD], fold_value="fixed:2")
    assert fold["rules"] == []
    replaces = ["B-23", "V1"]
    assert fold["house"] == [{"switch": "fold_value", "value": "fixed:2", "replaces": replaces}]
    near = because("oberoesterreich", [{"do": "gewinnt", "side": 0}], (7, 0), near_value=3)[0]
    assert near["house"][0]["switch"] == "near_value"
    error = refusal_of([BID, STAY, BID], "frankreich", alternate=True)
    assert (error["code"], error["rule"]) == ("twice-in-a-row", "F-33")
    assert "house rule of this table" in error["message"]
    lifted = {"ask": "legal", "rules": "bayern", "schlag": "U", "trumpf": "H", "first_trick": True}
    lifted |= {"table": ["HU", "HK"], "hand": ["HA"], "set": {"follow_lifted": True}}
    answer = judge(lifted)
    assert "house rule of this table" in answer["because"][0]["text"]
    assert answer["because"][0]["rule"] == ""


def test_unsourced_value_cites_no_rule():
    unsourced = {"bayern": ["misdeal"], "suedtirol": ["misdeal", "near_value", "cut_keep"]}
    unsourced |= {"trentino": ["cut_keep"], "frankreich": ["next_game_dealer"]}
    for region, switches in unsourced.items():
        assert [rules_of(region).cite(switch) for switch in switches] == [()] * len(switches)
