"""Each line has its own reasons, and each reason cites the rule of its value."""

import pytest
from hypothesis import given

from scorer.engine import REGIONS, replay, rules_of
from scorer.engine.scoring.stakes import opening_reason
from tests.engine.notation import played_evening
from tests.engine.strategies import evenings
from tests.sampling import examples

many = examples(75)

RULE_LETTERS = dict(zip(REGIONS, ("OUR", "BVR", "EWR", "IXR", "FYR"), strict=True))


@many
@given(evenings(statements=True))
def test_reasons_cite_their_own_region(evening):
    for step in evening.steps:
        if step.event.is_statement:
            continue
        for reason in step.after.because:
            if reason.code == "round-won":
                assert reason.values["delta"] == step.before.opening_reason.values["value"]
            assert {rule[0] for rule in reason.rule_ids} <= set(RULE_LETTERS[step.before.rules.id])


@many
@given(evenings())
def test_line_shows_only_its_own_rounds_value(evening):
    for step in evening.steps:
        worth = [r for r in step.after.because if r.code in ("near-value", "four")]
        assert worth in ([], [step.before.opening_reason])


@many
@given(evenings())
def test_opening_stake_equals_value_in_its_reason(evening):
    state = evening.state
    if state.round_is_new and state.winner is None:
        assert state.opening_reason == opening_reason(state)
        assert state.stake == state.opening_reason.values["value"]


@pytest.mark.parametrize(
    ("rules", "points", "text", "codes", "cited"),
    [
        ("bayern", (13, 6), "A= A", ["near-value", "round-won"], "B-27"),
        ("suedtirol", (16, 2), "A= A", ["four", "round-won", "game-won"], "E-28"),
        ("trentino", (13, 12), "B", ["near-value", "round-won"], "I-44"),
        ("trentino", (13, 9), "B", ["four", "round-won", "near"], "I-45"),
        ("bayern", (0, 0), "A+ B= A", ["round-raised"], "B-24"),
        ("bayern", (0, 0), "A", ["round-won"], "B-02"),
        ("bayern", (11, 0), "A", ["round-won", "near"], "B-02"),
    ],
)
def test_round_reason_cites_rule_for_its_value(rules, points, text, codes, cited):
    because = played_evening(rules, text, points).state.because
    assert [reason.code for reason in because][: len(codes)] == codes
    assert cited in next(r for r in because if r.code.startswith("round")).rule_ids


@pytest.mark.parametrize("region", REGIONS)
def test_plain_loss_cites_the_bummerl_rule(region):
    target = rules_of(region).target
    near = 0 if region == "frankreich" else 2
    start = (target - 1, target - near - 1)
    text = "A= A" if played_evening(region, "", start).state.decision else "A"
    because = played_evening(region, text, start).state.because
    plain = next(reason for reason in because if reason.code == "einfach")
    own = {"oberoesterreich": ("O-55",), "bayern": ("R2", "V12")}
    assert plain.rule_ids == own.get(region, ("R2",))


@pytest.mark.parametrize("region", REGIONS)
def test_refusal_cites_rules_of_its_own_region(region):
    three = {"watten": 1, "rules": region, "sides": [{}, {}, {}]}
    for head, events in (
        ({"watten": 1, "rules": region}, [("bieten", 0), ("gewinnt", 0)]),
        ({"watten": 1, "rules": region}, [("bleiben", 0)]),
        ({"watten": 1, "rules": region}, [("setzt_aus", 0)]),
        (three, [("gewinnt", 2)]),
        (three, [("bieten", 0), ("setzt_aus", 1)]),
    ):
        _, refusal = replay({**head, "events": [{"do": do, "side": side} for do, side in events]})
        assert refusal.rule_ids
        assert {rule[0] for rule in refusal.rule_ids} <= set(RULE_LETTERS[region])


def test_unlisted_offence_cites_no_rule():
    state = played_evening("oberoesterreich", "A!sonstige:3").state
    assert (state.points, state.because[0].rule_ids) == ((0, 3), ())


def test_revoke_counting_as_schneider_gives_two_reasons():
    evening = played_evening("oberoesterreich", "A!nicht-bekannt", revoke_counts_schneider=True)
    assert [reason.code for reason in evening.state.because] == ["revoked", "schneider"]


def test_revoke_among_three_cites_only_revoke_rules():
    evening = played_evening("oberoesterreich", "A!nicht-bekannt", (0, 0, 0))
    revoke = next(reason for reason in evening.state.because if reason.code == "verleugnet")
    assert revoke.rule_ids == ("O-33", "U8")
